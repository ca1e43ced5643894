"""report.html: drawn by a real browser, without network, script or complaint; and greenkgc report."""

import collections
import html
import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from program import fails, run, write
from test_train import TINY

CHROMIUM = shutil.which("chromium")
NASTY = "<img src=x onerror=alert(1)>&\"'`"

MEASURE = """<script>
const boxes = [...document.querySelectorAll('svg')].map(svg => {
  const frame = svg.getBoundingClientRect();
  const inside = [...svg.querySelectorAll('text')].every(text => {
    const box = text.getBoundingClientRect();
    return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
  });
  const marks = [...svg.querySelectorAll('.line,.dot,.bar')].filter(mark => {
    const box = mark.getBoundingClientRect();
    return box.width + box.height > 0 && getComputedStyle(mark).fill + getComputedStyle(mark).stroke !== 'nonenone';
  });
  return {title: svg.getAttribute('aria-label'), width: frame.width, height: frame.height, marks: marks.length, inside};
});
const seen = {boxes, page: document.documentElement.scrollWidth, ink: getComputedStyle(document.body).color};
document.title = JSON.stringify(seen);
</script>"""


def browse(page, *flags, width=1100):
    """What a browser shows of the page, and what it complains of."""
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += ["--enable-logging=stderr", "--v=0", f"--window-size={width},3000", "--virtual-time-budget=2000"]
    done = subprocess.run([*command, *flags, "--dump-dom", f"file://{page}"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def measured(page, tmp_path, *flags, **options):
    """The page with a script that measures what was drawn."""
    text = page.read_text()
    text = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", text)
    text = text.replace("</body>", MEASURE + "</body>")
    dom, complaints = browse(write(tmp_path / "measured.html", text), *flags, **options)
    assert complaints == []
    return json.loads(html.unescape(re.search(r"<title>(.*?)</title>", dom, re.S).group(1)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs on a graph whose labels would be markup, were they not escaped."""
    folder = tmp_path_factory.mktemp("report")
    facts = [(f"e{i % 40}{NASTY}", f"r{i % 3}{NASTY}", f"e{i * 7 % 31}") for i in range(400)]
    write(folder / "g.tsv", "".join("\t".join(fact) + "\n" for fact in sorted(set(facts))))
    for name, extra in {"one": ["--preset=paper", "--dims=12", "--keep-dims=4"], "two": []}.items():
        args = [a for a in TINY if not (extra and a.startswith("--dims"))]
        done = run("train", folder / "g.tsv", *args, *extra, "--out", folder / name)
        assert done.code == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def two_stages(tmp_path_factory):
    """A run with a second stage, for which the other graph is too small."""
    folder = tmp_path_factory.mktemp("two_stages") / "one"
    done = run("train", "world", *TINY, "--out", folder)
    assert done.code == 0, done.stderr
    return folder


needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not here (scripts/setup.sh installs it)")


@needs_browser
@pytest.mark.parametrize("width", [1100, 500])
def test_charts_are_drawn(runs, tmp_path, width):
    seen = measured(runs / "one/report.html", tmp_path, width=width)
    titles = [box["title"] for box in seen["boxes"]]
    for wanted in ["After each step", "MRR by side and relation category", "Training loss", "Valid MRR",
                   "Log-loss by trees", "AUC-PR by trees", "Valid MRR by trees", "Cost of each dimension, sorted",
                   "Reliability", "Number of proposals by probability", "Probabilities of all answers to one query, sorted"]:
        assert wanted in titles
    for box in seen["boxes"]:
        assert box["width"] > 300 and box["height"] > 180, box
        # Of this graph of chance all proposals are improbable, so they make one point.
        assert box["marks"] >= (1 if box["title"] == "Reliability" else 2), box
        assert box["inside"], box
    assert seen["page"] <= width, "the page is wider than the window"


def discriminant_events(folder):
    events = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [e for e in events if e["event"].startswith("rerank.discriminant")]


def test_what_graph_and_embedding_contribute(runs, two_stages):
    heading = "Contributions of graph and embedding"
    assert discriminant_events(runs / "one") == [] and heading not in (runs / "one/report.html").read_text()
    text = html.unescape((two_stages / "report.html").read_text())
    section = text[text.index(heading) :].split("<h2")[0]
    whole, *relations = discriminant_events(two_stages)
    assert whole["relations"] == 35 and 10 <= len(relations) <= 30
    costs = [feature["cost"] for feature in whole["best"]]
    assert len(costs) == 15 and costs == sorted(costs) and 0 <= costs[0] <= costs[-1] <= 1
    assert whole["costs"]["embedding"] and whole["costs"]["first_stage"] and len(whole["costs"]["graph"]) > 40
    for feature in whole["best"]:
        assert f"<bdi>{feature['name']}</bdi>" in section and f"<bdi>{feature['cost']:.3f}</bdi>" in section
    for relation in relations:
        assert relation["answers"] >= 20 and f"<bdi>{relation['relation']}</bdi>" in section
        for kind in ("graph", "embedding"):
            assert f"<bdi>{relation['best'][kind][0]['name']}</bdi>" in section
    assert f"The {len(relations)} of 35 relations with the most rows are shown; {35 - len(relations)} left out" in section


@needs_browser
@pytest.mark.parametrize("width", [1100, 500])
def test_the_ranking_of_features_is_drawn(two_stages, tmp_path, width):
    seen = measured(two_stages / "report.html", tmp_path, width=width)
    (reliability,) = [box for box in seen["boxes"] if box["title"] == "Reliability"]
    assert reliability["inside"] and reliability["marks"] >= 4
    (box,) = [box for box in seen["boxes"] if box["title"] == "Cost of each feature, sorted"]
    whole = discriminant_events(two_stages)[0]
    # Every feature, and three in the legend.
    assert box["inside"] and box["marks"] == 3 + sum(len(costs) for costs in whole["costs"].values())
    assert seen["page"] <= width


@needs_browser
def test_nothing_to_complain_of_and_dark_when_asked(runs, tmp_path):
    page = runs / "one/report.html"
    assert browse(page)[1] == []
    assert measured(page, tmp_path)["ink"] == "rgb(28, 33, 38)"
    assert measured(page, tmp_path, "--blink-settings=preferredColorScheme=0")["ink"] == "rgb(230, 233, 236)"


def test_the_page_is_one_file_and_escapes_labels(runs):
    for name in ("one", "two"):
        text = (runs / name / "report.html").read_text()
        assert "<img" not in text and "<script" not in text and html.escape(NASTY) in text.replace("&#39;", "&#x27;")
        links = set(re.findall(r"https?://[^\"' ]*", text))
        assert links <= {"http://www.w3.org/2000/svg"}
        for svg in re.findall(r"<svg.*?</svg>", text, re.S):
            ElementTree.fromstring(svg)


def test_the_page_says_what_the_files_say(runs):
    text = html.unescape((runs / "one/report.html").read_text())
    for metrics in json.loads((runs / "one/metrics.json").read_text())["metrics"]:
        assert f"{metrics['both']['realistic']['mrr']:.4f}" in text
    assert "paper (answer exempt)" in text and "filtered" in text
    assert "cut: 4 kept" in text
    (seed,) = re.findall(r"<bdi>seed</bdi></td><td[^>]*><bdi>(\d+)", text)
    assert seed == "42"


def test_the_page_has_the_completion_and_new_facts(two_stages):
    text = html.unescape((two_stages / "report.html").read_text())
    measured = json.loads((two_stages / "metrics.json").read_text())["completion"]
    section = text[text.index("<h2>Completion") :].split("<h2")[1]
    assert f"{measured['r_precision']:.3f}" in section and f"{measured['calibration_error']:.3f}" in section
    assert "the figures are lower bounds" in section and f"{measured['hidden']} facts of test were hidden" in section
    for relation in measured["relations"]:
        assert f"<bdi>{relation['relation']}</bdi></td><td><bdi>{relation['hidden']}</bdi>" in section


def test_new_facts_of_the_page_are_those_of_complete(two_stages, tmp_path):
    """In the same order with the same probabilities, and none where a head has the one value that heads have."""
    done = run("complete", "--model", two_stages / "model.gkgc", "--out", tmp_path / "new.tsv")
    assert done.code == 0, done.stderr
    proposed = [line.split("\t") for line in (tmp_path / "new.tsv").read_text().splitlines()]
    text = html.unescape((two_stages / "report.html").read_text())
    section = text[text.index("Confident new facts") :].split("<h2")[0]
    rows = [re.findall(r"<bdi>(.*?)</bdi>", row) for row in re.findall(r"<tr>(.*?)</tr>", section)][1:]
    shown = [tuple(row[:4]) for row in rows]
    listed = [(f"{float(p):.3f}", h, r, t) for h, r, t, p in proposed]
    places = [listed.index(row) for row in shown]
    assert len(shown) == 25 and places == sorted(places)
    assert all(" of " in row[4] for row in rows), "each has its reason"
    world = tmp_path / "world"
    assert run("convert", "world", "--out", world, "--valid-share=0", "--test-share=0").code == 0
    facts = {tuple(line.split("\t")) for line in (world / "train.txt").read_text().splitlines()}
    heads = collections.Counter((h, r) for h, r, _ in facts)
    for _, head, relation, _ in shown:
        counts = [n for (_, r), n in heads.items() if r == relation]
        assert (head, relation) not in heads or counts.count(1) < 0.9 * len(counts), (head, relation)


def test_rows_have_names_for_people(runs, two_stages, tmp_path):
    comparison = tmp_path / "both.html"
    assert run("report", runs / "one", two_stages, "--out", comparison).code == 0
    for page in (runs / "one/report.html", two_stages / "report.html", comparison):
        names = re.findall(r"<tr[^>]*>\s*<t[dh][^>]*>(?:<bdi>)?([^<]*)<", page.read_text())
        assert names and not [name for name in names if re.search(r"\.(gkgc|safetensors|json)\b", name)]
    one, two = ((folder / "report.html").read_text() for folder in (runs / "one", two_stages))
    assert "model, both stages" in two and "model, first stage" in two and "pruned embeddings" in two
    assert "both stages" not in one
    below_bars = re.findall(r'<text class="tick"[^>]*>([a-z ]+)</text>', two)
    assert below_bars[:4] == ["embeddings", "pruned", "first stage", "both stages"]


def test_report_writes_the_page_again(runs, tmp_path):
    page = (runs / "one/report.html").read_bytes()
    (runs / "one/report.html").unlink()
    done = run("report", runs / "one")
    assert done.code == 0, done.stderr
    assert (runs / "one/report.html").read_bytes() == page
    assert run("report", runs / "one", "--out", tmp_path / "other.html").code == 0
    assert (tmp_path / "other.html").read_bytes() == page


def test_runs_are_compared(runs, tmp_path):
    page = tmp_path / "both.html"
    done = run("report", runs / "one", runs / "two", "--out", page, "--json")
    assert done.code == 0, done.stderr
    assert [r["name"] for r in done.json["runs"]] == ["one", "two"]
    for result in done.json["runs"]:
        metrics = json.loads((runs / result["name"] / "metrics.json").read_text())["metrics"]
        measured_model = [m["both"]["realistic"]["mrr"] for m in metrics if m["of"] == "model.gkgc"]
        assert [m["mrr"] for m in result["metrics"]] == measured_model
        assert result["model_bytes"] == (runs / result["name"] / "model.gkgc").stat().st_size
    text = page.read_text()
    assert "prune.selector" in text and "embed.valid_sample" not in text
    assert "different data" not in text
    table = run("report", runs / "one", runs / "two")
    assert "paper, answer exempt" in table.stdout and not (tmp_path / "comparison.html").exists()


@needs_browser
def test_a_comparison_is_drawn(runs, tmp_path):
    page = tmp_path / "both.html"
    assert run("report", runs / "one", runs / "two", "--out", page).code == 0
    assert browse(page)[1] == []
    boxes = measured(page, tmp_path)["boxes"]
    assert len(boxes) >= 6 and all(box["marks"] >= 2 and box["inside"] for box in boxes), boxes


def test_runs_on_other_data_are_said_to_be(runs, two_stages, tmp_path):
    page = tmp_path / "p.html"
    assert run("report", runs / "one", two_stages, "--out", page).code == 0
    assert "trained on different data" in page.read_text() and str(two_stages) in page.read_text()


def test_a_run_that_did_not_come_to_its_end(runs, tmp_path):
    shutil.copytree(runs / "two", tmp_path / "run")
    record = json.loads((tmp_path / "run/run.json").read_text())
    del record["stages"]["evaluate"]
    record["stages"]["decide"]["finished"] = False
    write(tmp_path / "run/run.json", json.dumps(record))
    (tmp_path / "run/model.gkgc").unlink()
    done = run("report", tmp_path / "run")
    assert done.code == 0, done.stderr
    assert "not finished" in done.stdout and "not finished" in (tmp_path / "run/report.html").read_text()


def test_a_log_that_somebody_wrote_into_does_not_spoil_a_training(runs, tmp_path):
    shutil.copytree(runs / "two", tmp_path / "run")
    with open(tmp_path / "run/log.jsonl", "a") as log:
        log.write("hello\n")
    done = run("train", runs / "g.tsv", *TINY, "--out", tmp_path / "run", "--resume")
    assert done.code == 0 and "cannot write the report of this run" in done.stderr, done.stderr


DAMAGE = {
    "log": ("log.jsonl", b'{"event": "embed.epoch"}\n', r"log\.jsonl line 1: is not a line of a run's log"),
    "metrics": ("metrics.json", b'{"metrics": [{"of": 3}]}', r"metrics\.json: was not written by a run"),
    "record": ("run.json", b"[]", r"run\.json: was not written by a run"),
    "model": ("model.gkgc", b"x", r"model\.gkgc"),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_damaged_files_are_named(runs, tmp_path, case):
    name, content, complaint = DAMAGE[case]
    shutil.copytree(runs / "two", tmp_path / "run")
    write(tmp_path / "run" / name, content)
    fails(2, complaint, "report", tmp_path / "run")


def test_wrong_usage(runs, tmp_path):
    fails(2, "report needs RUN", "report")
    fails(2, "is not a run folder", "report", tmp_path)
    fails(2, "is not a run folder", "report", runs / "one", tmp_path / "nothing")
    fails(2, "is a folder", "report", runs / "one", "--out", tmp_path)
