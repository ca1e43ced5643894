#include "train/run/presets.h"

namespace greenkgc {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      // Few dimensions that were trained as such rank better than as many that were pruned from 500, so
      // nothing is pruned. Trees of the first stage are for models without a second.
      {.name = "light",
       .embed = "model=complex dims=16",
       .most_dims = 16,
       .prune = "groups=3 selector=none store=8-bit",
       .decide = "negatives=random negatives_per_side=32 objective=softmax trees=200 depth=4 rate=0.2 "
                 "min_child_weight=20 max_facts=100000 stop_metric=valid-mrr evaluate_every=20 mrr_every=20 "
                 "patience=60",
       .second_stage = true,
       .rerank = "",
       .protocols = {"filtered"}},
      // Section 4 of the paper. Its figures are those of the protocol that exempts the answer.
      {.name = "paper",
       .embed = "model=rotate dims=500",
       .most_dims = 500,
       .prune = "groups=5 keep_dims=32 selector=dft",
       .decide = "negatives=ontology negatives_per_side=64 objective=log-loss trees=1200 depth=5 rate=0.2 "
                 "base_margin=false",
       .second_stage = false,
       .rerank = "",
       .protocols = {"paper", "filtered"}},
      // 500 numbers an entity, or as many as memory allows.
      {.name = "accurate",
       .embed = "model=complex",
       .most_dims = 250,
       .prune = "groups=3 selector=none store=8-bit",
       .decide = "negatives=random negatives_per_side=32 objective=softmax trees=600 depth=5 rate=0.1 "
                 "min_child_weight=20 max_facts=200000 stop_metric=valid-mrr evaluate_every=20 mrr_every=20 "
                 "patience=100",
       .second_stage = true,
       .rerank = "",
       .protocols = {"filtered"}},
  };
  return all;
}

}  // namespace greenkgc
