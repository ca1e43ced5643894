import { modelCard } from "./api";
import { AskView } from "./ask";
import { h, show } from "./dom";
import { bytes, count } from "./format";
import { ModelView } from "./model_card";
import { link, onNavigate } from "./navigate";
import { NewFactsView } from "./new_facts";
import { ask, newFacts, parseRoute, type Route } from "./route";
import "./style.css";
import "./facts.css";
import "./pictures.css";
import { themeButton } from "./theme";

const content = document.getElementById("content")!;
const views = { ask: new AskView(), new: new NewFactsView(), model: new ModelView() };
const tabs: Record<Route["view"], HTMLAnchorElement> = {
  ask: link(ask({}), {}, "Ask"),
  new: link(newFacts({}), {}, "New facts"),
  model: link({ view: "model" }, {}, "Model"),
};
let current: Route["view"] | null = null;

function showRoute(route: Route): void {
  const view = views[route.view];
  const entered = current !== route.view;
  if (entered) {
    show(content, view.element);
    for (const [name, tab] of Object.entries(tabs)) {
      if (name === route.view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    if (current !== null) {
      view.element.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
      window.scrollTo({ top: 0, behavior: "instant" });
    }
    current = route.view;
  }
  void view.update(route as never);
  document.title = `${view.title()} — GreenKGC`;
}

function shortcuts(event: KeyboardEvent): void {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea");
  if (event.key !== "/" || typing || event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  if (current) views[current].focus();
}

show(
  document.querySelector("header.top")!,
  h(
    "div",
    { class: "bar-inner" },
    link(ask({}), { class: "brand" }, h("img", { src: "/favicon.svg", alt: "", width: 24, height: 24 }), "GreenKGC"),
    h("nav", { "aria-label": "Pages" }, ...Object.values(tabs)),
    themeButton(),
  ),
);
const keys = h(
  "p",
  { class: "keys" },
  h("kbd", {}, "/"),
  " focuses the query, ",
  h("kbd", {}, "↑"),
  " ",
  h("kbd", {}, "↓"),
  " move through answers",
);
const sizes = h("p");
const licences = h("p", {}, h("a", { href: "/licences.txt" }, "Licenses"));
show(document.querySelector("footer.bottom")!, sizes, keys, licences);
modelCard().then(
  (card) =>
    show(
      sizes,
      `${count(card.entities, "entity", "entities")}, ${count(card.relations, "relation")}, ${count(card.facts, "known fact")}; one file of ${bytes(card.bytes)}`,
    ),
  () => {}, // the view that is shown says what is wrong
);

onNavigate(showRoute);
window.addEventListener("popstate", () => showRoute(parseRoute(location.search)));
document.addEventListener("keydown", shortcuts);
showRoute(parseRoute(location.search));
