#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"

namespace greenkgc {

GREENKGC_API std::vector<std::string> embedding_models();  // the names

// Module 1: how an embedding is trained.
struct EmbedOptions {
  std::string model = "rotate";
  std::string similarity = "auto";
  std::int64_t dims = 500;
  double range_share = 0;
  std::string loss = "self-adversarial";
  double margin = 9;
  double temperature = 1;
  bool subsampling = true;
  double question_power = 0;
  std::int64_t batch = 1024;
  std::int64_t negatives = 256;
  std::string negative_sampling = "uniform";
  bool mask_known = true;
  double n3 = 0;
  double l2 = 0;
  double dura = 0;
  bool reciprocal = false;
  std::string optimiser = "adagrad";
  double rate = 0.3;
  double warm_up = 0;
  double final_rate = 0.01;
  std::int64_t epochs = 50;
  double init_scale = 0.1;
  std::int64_t valid_sample = 2000;
  std::int64_t valid_every = 5;
  std::int64_t patience = 4;

  static void declare(OptionList<EmbedOptions>& o) {
    o.add("model", &EmbedOptions::model, "scorer (scoring function) of the embedding",
          {.choices = embedding_models()});
    o.add("similarity", &EmbedOptions::similarity,
          "how a query is compared with a candidate; auto is the usual choice for the scorer",
          {.choices = {"auto", "dot", "l2", "squared-l2", "l1", "moduli"}});
    o.add("dims", &EmbedOptions::dims,
          "number of dimensions; complex and rotate store two floats per dimension and entity. More: more "
          "accurate, larger, slower",
          {.min = 1, .max = 100'000});
    o.add("range_share", &EmbedOptions::range_share,
          "share of answer-prior dimensions, in which the known entity is ignored, so that they learn what "
          "the answers of a relation have in common (with rotate: of any relation, so one dimension is "
          "enough). More: better guesses with few dimensions, less detail about each entity",
          {.min = 0, .max = 0.9});
    o.add("loss", &EmbedOptions::loss, "training loss", {.choices = {"self-adversarial", "softmax"}});
    o.add("margin", &EmbedOptions::margin,
          "self-adversarial: gamma, the distance at which a fact is as likely true as false",
          {.min = 0, .max = 1000});
    o.add("temperature", &EmbedOptions::temperature,
          "self-adversarial: sampling temperature; higher values focus on the hardest negatives",
          {.min = 0, .max = 100});
    o.add("subsampling", &EmbedOptions::subsampling,
          "self-adversarial: weight each fact by 1/sqrt of the frequency of its query");
    o.add("question_power", &EmbedOptions::question_power,
          "weight each query by (number of its known answers)^-VALUE. More: queries with few answers count "
          "more",
          {.min = 0, .max = 4});
    o.add("batch", &EmbedOptions::batch, "number of queries per batch", {.min = 1, .max = 1 << 20});
    o.add("negatives", &EmbedOptions::negatives,
          "number of negative entities that the queries of a batch share; 0: all entities",
          {.min = 0, .max = 1 << 24});
    o.add("negative_sampling", &EmbedOptions::negative_sampling,
          "how negatives are sampled: uniformly, or in proportion to the frequency of an entity",
          {.choices = {"uniform", "frequency"}});
    o.add("mask_known", &EmbedOptions::mask_known, "ignore negatives that are known facts");
    o.add("n3", &EmbedOptions::n3, "weight of N3 regularization (cubic norm)", {.min = 0, .max = 100});
    o.add("l2", &EmbedOptions::l2, "weight of L2 regularization", {.min = 0, .max = 100});
    o.add("dura", &EmbedOptions::dura,
          "weight of DURA regularization: the squared norm of each query's vector and of its answer's",
          {.min = 0, .max = 100});
    o.add("reciprocal", &EmbedOptions::reciprocal,
          "train a reciprocal relation for each relation, to answer (?, r, t)");
    o.add("optimiser", &EmbedOptions::optimiser,
          "Adagrad with one learning rate per parameter, or per row (half the memory)",
          {.choices = {"adagrad", "adagrad-row"}});
    o.add("rate", &EmbedOptions::rate, "initial learning rate", {.min = 1e-8, .max = 100})
        .alias("lr")
        .alias("learning_rate");
    o.add("warm_up", &EmbedOptions::warm_up,
          "number of epochs over which the learning rate rises linearly from 0", {.min = 0, .max = 1e6});
    o.add("final_rate", &EmbedOptions::final_rate,
          "learning rate at the end, as a share of --rate; it decays linearly", {.min = 0, .max = 1});
    o.add("epochs", &EmbedOptions::epochs,
          "number of passes over the training facts; each pass predicts both tails and heads",
          {.min = 1, .max = 1e6});
    o.add("init_scale", &EmbedOptions::init_scale, "standard deviation of the initial values",
          {.min = 0, .max = 100});
    o.add("valid_sample", &EmbedOptions::valid_sample,
          "number of validation facts that are ranked at each validation; 0: no validation",
          {.min = 0, .max = 1e9});
    o.add("valid_every", &EmbedOptions::valid_every, "number of epochs between two validations",
          {.min = 1, .max = 1e6});
    o.add("patience", &EmbedOptions::patience,
          "number of validations without a better MRR before training stops; 0: never stop early",
          {.min = 0, .max = 1e6});
  }

  void validate() const;  // throws kUsage where options contradict each other
};

// A recipe is a set of options that was chosen on validation data: by name ("fb15k-237-rotate";
// docs/lab/embeddings.md says what each reaches), or "auto", which goes by the size of the graph, and by
// model, loss and dims where these are given. Returns `options` with all that are not named in `given` as the
// recipe has them. Throws kUsage for an unknown name, and for a named recipe of another model or loss than is
// given.
GREENKGC_API EmbedOptions with_recipe(const std::string& recipe, const Dataset& dataset, EmbedOptions options,
                                      const std::set<std::string>& given);
GREENKGC_API std::vector<std::string> embed_recipes();  // the names, "auto" first

struct EmbedResult {
  std::uint64_t epochs = 0;          // trained in all
  std::uint64_t resumed_epochs = 0;  // of which an earlier run trained
  bool stopped_early = false;
  std::uint64_t best_epoch = 0;  // whose vectors were kept
  double best_mrr = -1;          // filtered MRR on the validation sample; -1: there was no validation
  double loss = 0;               // of the last epoch, mean over queries
  double seconds = 0;
  std::uint64_t bytes = 0;  // of the file
};

// Trains an embedding on the train split and writes it to `out` (safetensors). Validates on a fixed sample of
// valid (other answers known from train and valid filtered), keeps the best, and appends to log.jsonl beside
// `out`. While it runs, `out`.checkpoint holds its state; with `resume`, training goes on from there. The
// same options and seed give the same bits on one machine, for any number of threads, resumed or not.
struct EmbedRun {
  std::filesystem::path out;
  bool resume = false;
  std::string recipe;  // that the options come from; only noted in the file
};
GREENKGC_API EmbedResult train_embedding(const Dataset& dataset, const EmbedOptions& options,
                                         const EmbedRun& run, const Context& context);

}  // namespace greenkgc
