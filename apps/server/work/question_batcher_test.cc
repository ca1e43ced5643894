#include "server/work/question_batcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "greenkgc/error.h"
#include "support/random_model.h"

namespace greenkgc::server {
namespace {

using namespace std::chrono_literals;

constexpr rank::DecisionsSize kSize = {.entities = 150, .relations = 6, .trees = 5};

class QuestionBatcherTest : public testing::Test {
 protected:
  std::string alone(const AskedQuestion& asked, const PredictOptions& options) const {
    const Question question = question_of(model_->model(), asked);
    const auto answers = model_->model().predict({&question, 1}, options, Context{})[0];
    return compact_text(answers_json(model_->model(), question, answers,
                                     known_left_out(model_->model(), question, options, Context{}).size()));
  }

  RandomModel files_{kSize};
  std::shared_ptr<const ServedModel> model_ = std::make_shared<ServedModel>(files_.path(), 1, Context{});
};

AskedQuestion some_question(int i) {
  const std::string entity = "e" + std::to_string(i % 150);
  const std::string relation = "r" + std::to_string(i % 6);
  if (i % 3 == 0) return {.head = entity, .relation = relation};
  if (i % 3 == 1) return {.relation = relation, .tail = entity};
  return {.head = entity, .tail = "e7"};
}

TEST_F(QuestionBatcherTest, EachGetsItsOwnAnswer) {
  Workers workers({.threads = 2, .queue = 1000});
  QuestionBatcher batcher(workers);
  std::vector<std::future<void>> clients;
  for (int client = 0; client < 8; ++client) {
    clients.push_back(std::async(std::launch::async, [&, client] {
      for (int i = client; i < 240; i += 8) {
        const PredictOptions options{.top_k = 1 + i % 2, .include_known = i % 5 == 0};
        ASSERT_EQ(batcher.ask(model_, some_question(i), options, 60s), alone(some_question(i), options)) << i;
      }
    }));
  }
  for (auto& client : clients) client.get();
  EXPECT_EQ(batcher.waiting(), 0U);
}

TEST_F(QuestionBatcherTest, AWrongLabelIsItsOwnersProblem) {
  Workers workers({.threads = 1, .queue = 1000});
  QuestionBatcher batcher(workers);
  std::promise<void> opened;
  std::promise<void> entered;
  auto gate = std::async(std::launch::async, [&] {
    workers.run(
        [&](const Context&) {
          entered.set_value();
          return opened.get_future().wait(), std::string();
        },
        60s);
  });
  entered.get_future().wait();  // so that all questions wait
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < 9; ++i) {
    answers.push_back(std::async(std::launch::async, [&, i] {
      AskedQuestion question = some_question(i);
      if (i % 3 == 0) question.head = "nobody";
      return batcher.ask(model_, question, {.top_k = 2}, 60s);
    }));
  }
  while (batcher.waiting() < 9) std::this_thread::yield();
  opened.set_value();
  for (int i = 0; i < 9; ++i) {
    if (i % 3 == 0) {
      EXPECT_THROW(answers[static_cast<std::size_t>(i)].get(), Error);
    } else {
      EXPECT_EQ(answers[static_cast<std::size_t>(i)].get(), alone(some_question(i), {.top_k = 2}));
    }
  }
  gate.get();
}

TEST_F(QuestionBatcherTest, RefusesWhatIsTooMuchOrTooLate) {
  Workers workers({.threads = 1, .queue = 2});
  QuestionBatcher batcher(workers);
  std::promise<void> opened;
  std::promise<void> entered;
  auto gate = std::async(std::launch::async, [&] {
    workers.run(
        [&](const Context&) {
          entered.set_value();
          opened.get_future().wait();
          return std::string();
        },
        60s);
  });
  entered.get_future().wait();
  const auto status = [&](std::chrono::milliseconds time) {
    try {
      batcher.ask(model_, some_question(0), {}, time);
    } catch (const HttpError& error) {
      return error.status();
    }
    return 200;
  };
  EXPECT_EQ(status(1ms), 504);
  EXPECT_EQ(status(1ms), 504);
  EXPECT_EQ(status(60s), 503);  // those two are still in the queue
  opened.set_value();
  gate.get();
  while (batcher.waiting() > 0) std::this_thread::yield();
  EXPECT_EQ(status(60s), 200);
}

}  // namespace
}  // namespace greenkgc::server
