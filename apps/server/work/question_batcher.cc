#include "server/work/question_batcher.h"

#include <algorithm>
#include <new>

#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

constexpr std::size_t kMostTogether = 16;

}  // namespace

struct QuestionBatcher::Waiting {
  Waiting(std::shared_ptr<const ServedModel> model_, AskedQuestion asked_, const PredictOptions& options_,
          Done done)
      : model(std::move(model_)), asked(std::move(asked_)), options(options_), reply(std::move(done)) {}

  const std::shared_ptr<const ServedModel> model;
  const AskedQuestion asked;
  const PredictOptions options;
  Reply reply;
  Deadlines::Id deadline;

  bool goes_with(const Waiting& other) const {
    return model == other.model && options.top_k == other.options.top_k &&
           options.include_known == other.options.include_known;
  }
};

Question question_of(const Model& model, const AskedQuestion& asked) {
  Question question;
  if (asked.head) question.head = model.entity(*asked.head);
  if (asked.relation) question.relation = model.relation(*asked.relation);
  if (asked.tail) question.tail = model.entity(*asked.tail);
  return question;
}

void QuestionBatcher::submit(std::shared_ptr<const ServedModel> model, AskedQuestion question,
                             const PredictOptions& options, const TimeLimit& limit, Done done) {
  const auto own = std::make_shared<Waiting>(std::move(model), std::move(question), options, std::move(done));
  const std::lock_guard lock(mutex_);
  if (stopped_) throw stopping();
  if (waiting_.size() >= workers_.limits().queue) throw overloaded(waiting_.size());
  if (jobs_ < workers_.limits().threads) {
    workers_.post([this](const Context& context) { work(context); });
    ++jobs_;
  }
  own->deadline = workers_.deadlines().add(limit.until, [weak = std::weak_ptr(own), time = limit.time] {
    if (const auto late = weak.lock()) late->reply.settle(failed(took_too_long(time)));
  });
  waiting_.push_back(own);
}

std::string QuestionBatcher::ask(std::shared_ptr<const ServedModel> model, AskedQuestion question,
                                 const PredictOptions& options, std::chrono::milliseconds time) {
  return wait_for_outcome(
      [&](Done done) { submit(std::move(model), std::move(question), options, time, std::move(done)); });
}

void QuestionBatcher::work(const Context& context) {
  try {
    const Together together = take();
    answer(together, context);
    for (const auto& one : together) workers_.deadlines().remove(one->deadline);
  } catch (const std::bad_alloc&) {  // those whose turn it was wait until their time is over; others go on
  }
  const std::lock_guard lock(mutex_);
  if (!waiting_.empty()) {
    try {
      // To the end of the queue: other jobs have their turn.
      return workers_.post([this](const Context& next) { work(next); });
    } catch (const HttpError&) {  // they stop
    }
  }
  --jobs_;
}

void QuestionBatcher::stop() {
  std::deque<std::shared_ptr<Waiting>> left;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    left.swap(waiting_);
  }
  for (const auto& one : left) one->reply.settle(failed(stopping()));
}

std::size_t QuestionBatcher::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

QuestionBatcher::Together QuestionBatcher::take() {
  const std::lock_guard lock(mutex_);
  const auto threads = static_cast<std::size_t>(workers_.limits().threads);
  const std::size_t share = std::min(kMostTogether, (waiting_.size() + threads - 1) / threads);
  Together together;
  for (auto at = waiting_.begin(); at != waiting_.end() && together.size() < share;) {
    if (!together.empty() && !(*at)->goes_with(*together.front())) {
      ++at;
      continue;
    }
    if (!(*at)->reply.settled()) together.push_back(*at);
    at = waiting_.erase(at);
  }
  return together;
}

void QuestionBatcher::answer(const Together& together, const Context& context) {
  Together known;  // whose labels are
  std::vector<Question> questions;
  for (const auto& one : together) {
    try {
      questions.push_back(question_of(one->model->model(), one->asked));
      known.push_back(one);
    } catch (...) {
      one->reply.settle({.error = std::current_exception()});
    }
  }
  if (known.empty()) return;
  const Model& model = known.front()->model->model();
  std::vector<std::string> texts;
  try {
    const PredictOptions& options = known.front()->options;
    const auto answers = model.predict(questions, options, context);
    for (std::size_t i = 0; i < known.size(); ++i)
      texts.push_back(compact_text(answers_json(
          model, questions[i], answers[i], known_left_out(model, questions[i], options, context).size())));
  } catch (...) {
    for (const auto& one : known) one->reply.settle({.error = std::current_exception()});
    return;
  }
  for (std::size_t i = 0; i < known.size(); ++i) known[i]->reply.settle({.text = std::move(texts[i])});
}

}  // namespace greenkgc::server
