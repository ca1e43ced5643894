#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "greenkgc/answers.h"
#include "server/served_model.h"
#include "server/work/workers.h"

namespace greenkgc::server {

// A question as labels, of which two are given.
struct AskedQuestion {
  std::optional<std::string> head;
  std::optional<std::string> relation;
  std::optional<std::string> tail;
};

// Throws kBadInput for labels that the model does not have.
Question question_of(const Model& model, const AskedQuestion& asked);

// Answers questions of different requests together: a model reads its tables once for all of them, so that
// eight questions at once take about half the time of eight by themselves. Nobody waits for company; those
// who wait for a thread anyway go together.
class QuestionBatcher {
 public:
  explicit QuestionBatcher(Workers& workers) : workers_(workers) {}
  // Stops the workers: one of them may still be answering for a caller who has given up.
  ~QuestionBatcher() { workers_.stop(); }
  QuestionBatcher(const QuestionBatcher&) = delete;
  QuestionBatcher& operator=(const QuestionBatcher&) = delete;

  // Passes on the answer as JSON, or what the model throws; calls `done` and throws as Workers::submit does.
  void submit(std::shared_ptr<const ServedModel> model, AskedQuestion question, const PredictOptions& options,
              const TimeLimit& limit, Done done);
  // Submits the question and waits for its answer.
  std::string ask(std::shared_ptr<const ServedModel> model, AskedQuestion question,
                  const PredictOptions& options, std::chrono::milliseconds time);

  // After the workers have stopped: those that still wait, or come now, are told so.
  void stop();
  std::size_t waiting() const;

 private:
  struct Waiting;
  using Together = std::vector<std::shared_ptr<Waiting>>;
  // Answers some, and comes again while others wait.
  void work(const Context& context);
  // Of what waits, the first and those that can go with it: a fair share for one of the threads.
  Together take();
  static void answer(const Together& together, const Context& context);

  Workers& workers_;
  mutable std::mutex mutex_;  // guards what is below
  std::deque<std::shared_ptr<Waiting>> waiting_;
  bool stopped_ = false;
  int jobs_ = 0;  // of ours, at most one per thread; there is one while anything waits
};

}  // namespace greenkgc::server
