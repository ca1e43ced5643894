#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/embed.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"

namespace greenkgc {

// What must be known of another program's embeddings before they can be used. Files of our own say all of it
// themselves, word2vec files name their rows.
struct ImportOptions {
  std::string relations;
  std::string model = "unknown";
  std::string similarity = "auto";
  bool reciprocal = false;
  std::string relation_form = "phase";
  double relation_scale = 1;
  std::string order = "unknown";
  std::string data;
  std::string entity_ids;
  std::string relation_ids;
  std::string entity_tensor = "entities";
  std::string relation_tensor = "relations";

  static void declare(OptionList<ImportOptions>& o) {
    std::vector<std::string> models = embedding_models();
    models.insert(models.begin(), "unknown");
    o.add("relations", &ImportOptions::relations,
          "embeddings: file with the rows of the relations; IN has the rows of the entities");
    o.add("model", &ImportOptions::model, "embeddings: the scorer that they were trained with",
          {.choices = models});
    o.add("similarity", &ImportOptions::similarity,
          "embeddings: how a query is compared with a candidate; auto is the usual choice for the scorer",
          {.choices = {"auto", "dot", "l2", "squared-l2", "l1", "moduli"}});
    o.add("reciprocal", &ImportOptions::reciprocal,
          "embeddings: the second half of the relations' rows are reciprocal relations");
    o.add("relation_form", &ImportOptions::relation_form,
          "rotate: a relation's row holds phases, or the cosines of all phases followed by their sines",
          {.choices = {"phase", "cos-sin"}});
    o.add("relation_scale", &ImportOptions::relation_scale,
          "rotate: factor that turns a stored value into a phase; for KnowledgeGraphEmbedding and DGL-KE it "
          "is pi * dims / (margin + 2)",
          {.min = 1e-9, .max = 1e9});
    o.add("order", &ImportOptions::order,
          "embeddings: order of the rows: first appearance in --data (head before tail; train, valid, test), "
          "or the ids in the files of --data (entities.dict and the like)",
          {.choices = {"unknown", "first-appearance", "dataset"}});
    o.add("data", &ImportOptions::data, "embeddings: the graph that --order refers to");
    o.add("entity_ids", &ImportOptions::entity_ids,
          "embeddings: file that names the entities' rows: id and label separated by a tab, in either order, "
          "or one label per line");
    o.add("relation_ids", &ImportOptions::relation_ids,
          "embeddings: file that names the relations' rows, in the same format");
    o.add("entity_tensor", &ImportOptions::entity_tensor,
          "safetensors from another program: name of the tensor with the entities");
    o.add("relation_tensor", &ImportOptions::relation_tensor,
          "safetensors from another program: name of the tensor with the relations");
  }
};

// Whether a path names embeddings rather than a graph: a folder with embedding.json; a safetensors, npy or
// word2vec file, by its first bytes or, where those do not tell, its name. Throws kBadInput, with what to do,
// for forms of embeddings that are not read (PyTorch, npz).
GREENKGC_API bool holds_embeddings(const std::string& path);

struct EmbeddingTarget {
  std::filesystem::path out;
  std::string to = "auto";  // "safetensors", or "npy" or "word2vec" for a folder; auto goes by the name
};

struct ConvertedEmbeddings {
  std::string model;
  std::string similarity;
  std::uint64_t dims = 0;
  bool reciprocal = false;
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::vector<std::string> notes;  // one line per file read: what it was understood to be
  std::vector<std::filesystem::path> written;
};

// Reads embeddings of any form and writes them in another. `load` says how --data is to be read; a single
// file of it is not split. Throws kUsage where options are missing, contradict each other or have no meaning
// for this input; kBadInput or kCorrupt where the tables do not fit the model, the labels or each other, and
// for numbers that are not finite.
GREENKGC_API ConvertedEmbeddings convert_embeddings(const std::string& in, const EmbeddingTarget& target,
                                                    const ImportOptions& options, const LoadOptions& load,
                                                    const Context& context);

}  // namespace greenkgc
