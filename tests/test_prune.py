"""greenkgc prune against a plain computation of the same with numpy and scikit-learn, and from outside in general."""
import json
import math
import os
import pathlib
import struct
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="numpy (scripts/setup.sh) is not here")
linear_model = pytest.importorskip("sklearn.linear_model", reason="scikit-learn (scripts/setup.sh) is not here")

ROOT = pathlib.Path(__file__).parent.parent
GREENKGC = os.path.abspath(os.environ.get("GREENKGC_BIN", ROOT / "build/release/greenkgc"))
SEED = 42


def greenkgc(*args):
    done = subprocess.run([GREENKGC, *map(str, args), "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tensors_of(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__")
    types = {"F32": np.float32, "U64": np.uint64, "U8": np.uint8}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + x for x in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata


def philox(counter, stream):
    """Philox2x64-10 (Salmon et al. 2011), the first of its two numbers."""
    mask = (1 << 64) - 1
    x, y, key = counter, stream, SEED
    for _ in range(10):
        product = 0xD2B74407B1CE6E93 * x
        x, y = (product >> 64) ^ key ^ y, product & mask
        key = (key + 0x9E3779B97F4A7C15) & mask
    return x


def samples(train, entity_count, groups):
    """Observed facts of each group, then for each one with another head (even lines) or tail (odd), not known."""
    known = set(train)
    sets = []
    for group in groups:
        observed, corrupted = [], []
        for line, (h, r, t) in enumerate(train):
            if r not in group:
                continue
            observed.append((h, r, t))
            for draw in range(100):
                other = philox(line * 100 + draw, 0x70726E01) * entity_count >> 64
                fact = (other, r, t) if line % 2 == 0 else (h, r, other)
                if fact not in known:
                    corrupted.append(fact)
                    break
        sets.append((np.array(observed), np.array(corrupted)))
    return sets


def entropy(ones, zeros):
    return sum(-n * math.log2(n / (ones + zeros)) for n in (ones, zeros) if n > 0)


def cost_of(projected, labels, bins=32):
    low, high = projected.min(), projected.max()
    place = np.minimum(bins - 1, np.floor((projected - low) / (high - low) * bins)).astype(int)
    ones = np.bincount(place[labels == 1], minlength=bins)
    zeros = np.bincount(place[labels == 0], minlength=bins)
    return min(
        (entropy(ones[:b].sum(), zeros[:b].sum()) + entropy(ones[b:].sum(), zeros[b:].sum())) / len(labels)
        for b in range(1, bins)
    )


def variables_of(model, entities, relations, dims, facts, dim):
    """Head, relation and tail variables of one dimension, one row per fact."""
    per_entity = entities.shape[1] // dims
    heads = [entities[facts[:, 0], v * dims + dim] for v in range(per_entity)]
    tails = [entities[facts[:, 2], v * dims + dim] for v in range(per_entity)]
    own = [relations[facts[:, 1], v * dims + dim] for v in range(relations.shape[1] // dims)]
    if model == "rotate":
        own = [np.array([math.remainder(x, 2 * math.pi) for x in own[0].astype(float)]).astype(np.float32)]
    return np.stack(heads + own + tails, axis=1).astype(float)


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """A generated graph and its training facts as ids by first appearance."""
    folder = tmp_path_factory.mktemp("graph")
    greenkgc("generate", "--entities", 120, "--relations", 6, "--triples", 1500, "--out", folder / "data")
    rows = [line.split("\t") for line in (folder / "data/train.txt").read_text().splitlines()]
    entity, relation = {}, {}
    train = []
    for h, r, t in rows:
        h = entity.setdefault(h, len(entity))
        t = entity.setdefault(t, len(entity))
        train.append((h, relation.setdefault(r, len(relation)), t))
    return folder, train


def embed(folder, model, *options):
    out = folder / f"{model}.safetensors"
    greenkgc("embed", folder / "data", "--model", model, "--dims", 24, "--epochs", 6, "--batch", 256, "--margin", 4,
             "--valid-every", 6, "--out", out, *options)
    return out


@pytest.mark.parametrize("model", ["transe", "rotate", "complex"])
def test_costs_weights_and_kept_dimensions_are_those_of_scikit_learn(graph, model):
    folder, train = graph
    embeddings = embed(folder, model)
    out = folder / f"{model}-features.safetensors"
    report = json.loads(greenkgc("prune", folder / "data", "--embeddings", embeddings, "--groups", 2, "--keep-dims", 7,
                                 "--out", out, "--json"))
    table, metadata = tensors_of(embeddings)
    features, _ = tensors_of(out)
    entities, relations, dims = table["entities"], table["relations"], int(metadata["dims"])
    group_of = features["group_of"]
    groups = [{r for r in range(len(group_of)) if group_of[r] == g} for g in range(2)]
    for g, (observed, corrupted) in enumerate(samples(train, len(entities), groups)):
        assert (report["groups"][g]["facts"], report["groups"][g]["corrupted"]) == (len(observed), len(corrupted))
        facts = np.concatenate([observed, corrupted])
        labels = np.array([1] * len(observed) + [0] * len(corrupted))
        costs, weights = [], []
        for dim in range(dims):
            x = variables_of(model, entities, relations, dims, facts, dim)
            fit = linear_model.LogisticRegression(fit_intercept=False, solver="newton-cholesky", tol=1e-10).fit(x, labels)
            weights.append(fit.coef_[0])
            costs.append(cost_of(x @ fit.coef_[0], labels))
            if dim == 0:  # the default solver has the same minimum, but stops a little before it
                usual = linear_model.LogisticRegression(fit_intercept=False).fit(x, labels).coef_[0]
                assert np.allclose(usual, weights[0], atol=2e-3 * abs(weights[0]).max())
        kept = sorted(range(dims), key=lambda dim: costs[dim])[:7]
        assert report["groups"][g]["kept"] == kept
        assert [int(features["dims"][k]) for k in features["kept"][g]] == kept
        assert np.allclose(report["groups"][g]["costs"], costs, atol=1e-9)
        for place, dim in enumerate(kept):
            scale = abs(weights[dim]).max()
            assert np.allclose(features["kept.weights"][g][place], weights[dim], atol=1e-4 * scale), dim
    # The union of what the groups keep, with the embedding's own numbers.
    union = sorted({dim for group in report["groups"] for dim in group["kept"]})
    columns = [v * dims + dim for v in range(entities.shape[1] // dims) for dim in union]
    assert list(features["dims"]) == union
    assert np.array_equal(features["entities"], entities[:, columns])


def test_pca_is_that_of_numpy(graph):
    folder, train = graph
    embeddings = embed(folder, "distmult")
    report = json.loads(greenkgc("prune", folder / "data", "--embeddings", embeddings, "--groups", 1, "--keep-dims", 5,
                                 "--projection", "pca", "--out", folder / "pca.safetensors", "--json"))
    table, _ = tensors_of(embeddings)
    observed, corrupted = samples(train, len(table["entities"]), [set(range(6))])[0]
    facts = np.concatenate([observed, corrupted])
    labels = np.array([1] * len(observed) + [0] * len(corrupted))
    costs = []
    for dim in range(24):
        x = variables_of("distmult", table["entities"], table["relations"], 24, facts, dim)
        w = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)[2][0]
        costs.append(cost_of(x @ (w * np.sign(w[np.argmax(abs(w))])), labels))
    assert np.allclose(report["groups"][0]["costs"], costs, atol=1e-9)


def test_forms_threads_and_sizes(graph):
    folder, _ = graph
    embeddings = embed(folder, "rotate")
    sizes, mrr = {}, {}
    for form in ("float32", "8-bit", "5-bit"):
        outs = []
        for threads in (1, 2):
            out = folder / f"{form}-{threads}.safetensors"
            report = json.loads(greenkgc("prune", folder / "data", "--embeddings", embeddings, "--groups", 2,
                                         "--keep-dims", 12, "--store", form, "--threads", threads, "--out", out, "--json"))
            assert report["bytes"] == out.stat().st_size
            outs.append(out.read_bytes())
        assert outs[0] == outs[1]
        sizes[form] = tensors_of(out)[0]
        mrr[form] = json.loads(greenkgc("evaluate", folder / "data", "--model", out, "--json"))["both"]["realistic"]["mrr"]
    width = sizes["float32"]["entities"].shape[1]
    assert sizes["5-bit"]["entities.5bit"].shape[1] == math.ceil(width * 5 / 8)
    assert abs(mrr["8-bit"] - mrr["float32"]) < 0.02 and abs(mrr["5-bit"] - mrr["float32"]) < 0.1
    # Unpacked by hand: the nearest of the column's levels.
    codes = np.unpackbits(sizes["5-bit"]["entities.5bit"], axis=1, bitorder="little")[:, : 5 * width]
    codes = codes.reshape(len(codes), width, 5) @ (1 << np.arange(5))
    values, levels = sizes["float32"]["entities"], sizes["5-bit"]["entities.5bit.levels"]
    chosen = levels[np.arange(width), codes]
    nearest = abs(values[:, :, None].astype(float) - levels[None]).min(axis=2)
    assert np.allclose(abs(chosen - values), nearest, atol=1e-6)


def test_hostile_files_are_refused(graph, tmp_path):
    folder, _ = graph
    embeddings = embed(folder, "transe")
    good = tmp_path / "good.safetensors"
    greenkgc("prune", folder / "data", "--embeddings", embeddings, "--groups", 2, "--keep-dims", 4, "--out", good)
    whole = good.read_bytes()
    bad = tmp_path / "bad.safetensors"

    def refusal(content, command="evaluate"):
        bad.write_bytes(content)
        flags = ["--model", bad] if command == "evaluate" else ["--embeddings", bad, "--out", tmp_path / "x"]
        done = subprocess.run([GREENKGC, command, folder / "data", *flags], capture_output=True, text=True)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, (done.returncode, done.stderr)
        return done.stderr

    assert "greenkgc.features" in refusal(whole, "prune")
    (length,) = struct.unpack("<Q", whole[:8])
    header, data = whole[8 : 8 + length], bytearray(whole[8 + length :])
    begin = json.loads(header)["group_of"]["data_offsets"][0]
    data[begin] = 77
    assert "checksum" in refusal(whole[: 8 + length] + bytes(data))
    # The same with the checksum forgotten, as a hostile writer would.
    loose = json.loads(header)
    loose["__metadata__"] = {k: v for k, v in loose["__metadata__"].items() if not k.startswith("xxh3.")}
    text = json.dumps(loose).encode()
    text += b" " * (-len(text) % 64)
    assert "'group_of', number 0: 77 must be below 2" in refusal(struct.pack("<Q", len(text)) + text + bytes(data))
    for cut in (0, 8, 100, 8 + length, len(whole) // 2, len(whole) - 1):
        assert "bad.safetensors: " in refusal(whole[:cut])


def test_the_curve_of_group_numbers_is_the_mean_cost_over_dimensions(graph):
    folder, _ = graph
    embeddings = embed(folder, "transe")

    def prune(groups):
        return json.loads(greenkgc("prune", folder / "data", "--embeddings", embeddings, "--groups", groups, "--keep-dims",
                                   4, "--max-groups", 3, "--out", folder / "curve.safetensors", "--json"))

    curve = prune("auto")["mean_cost_by_groups"]
    assert len(curve) == 3
    for number, cost in enumerate(curve, 1):  # the graph is small: the curve is measured on all of its facts
        groups = prune(number)["groups"]
        samples_of = [group["facts"] + group["corrupted"] for group in groups]
        means = [np.mean(group["costs"]) for group in groups]
        assert cost == pytest.approx(np.average(means, weights=samples_of), abs=1e-12)


def test_refit_describes_the_vectors_that_it_wrote(graph):
    folder, train = graph
    out = folder / "refit.safetensors"
    report = json.loads(greenkgc("prune", folder / "data", "--embeddings", embed(folder, "transe"), "--groups", 2,
                                 "--keep-dims", 6, "--refit-epochs", 5, "--out", out, "--json"))
    assert report["refit_valid_mrr"] > report["valid_mrr"] and report["refit_epoch"] > 0
    features, metadata = tensors_of(out)
    groups = [{r for r in range(6) if features["group_of"][r] == g} for g in range(2)]
    for g, (observed, corrupted) in enumerate(samples(train, len(features["entities"]), groups)):
        facts = np.concatenate([observed, corrupted])
        labels = np.array([1] * len(observed) + [0] * len(corrupted))
        for place, dim in enumerate(features["kept"][g]):
            x = variables_of("transe", features["entities"], features["relations"], int(metadata["dims"]), facts, int(dim))
            fit = linear_model.LogisticRegression(fit_intercept=False, solver="newton-cholesky", tol=1e-10).fit(x, labels)
            assert np.allclose(features["kept.weights"][g][place], fit.coef_[0], atol=1e-4 * abs(fit.coef_).max())
            assert features["kept.costs"][g][place] == pytest.approx(cost_of(x @ fit.coef_[0], labels), abs=1e-6)


def test_groups_are_printed_with_their_relations(graph):
    folder, _ = graph
    text = greenkgc("prune", folder / "data", "--embeddings", embed(folder, "transe"), "--groups", 3, "--keep-dims", 4,
                    "--out", folder / "g.safetensors")
    relations = {line.split("\t")[1] for line in (folder / "data/train.txt").read_text().splitlines()}
    assert all(relation in text for relation in relations)
    assert "4 of 24 dimensions kept in each of 3 groups" in text
