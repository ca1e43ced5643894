/** Parts of a fact by name; "" is a part that is not given. */
export interface Parts {
  head: string;
  relation: string;
  tail: string;
}
export type Part = keyof Parts;
export const PARTS: readonly Part[] = ["head", "relation", "tail"];

export interface AskRoute extends Parts {
  view: "ask";
  answer: string; // the one to explain; "": the best
  k: number;
  known: boolean; // whether known answers are listed
}
export interface NewFactsRoute {
  view: "new";
  relation: string; // "": all
  entity: string; // head or tail; "": any
  type: string; // of the head; "": any
  gaps: boolean; // only facts whose head has none of the relation
  atLeast: number; // probability
  k: number;
}
export type Route = AskRoute | NewFactsRoute | { view: "model" };

export const FEW = 10;
export const MANY = 50;
export const MOST = 1000; // what the server gives unless it is told otherwise

/** What the address of the page says. Whatever it cannot mean is left out. */
export function parseRoute(search: string): Route {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) ?? "";
  const number = (name: string, low: number, high: number, otherwise: number) => {
    const value = Number(query.get(name) ?? NaN);
    return value >= low && value <= high ? value : otherwise;
  };
  switch (query.get("view")) {
    case "model":
      return { view: "model" };
    case "new":
      return {
        view: "new",
        relation: text("relation"),
        entity: text("entity"),
        type: text("type"),
        gaps: text("gaps") === "only",
        atLeast: number("min", 0, 1, 0),
        k: Math.round(number("k", 1, MOST, MANY)),
      };
    default:
      return {
        ...ask({ head: text("head"), relation: text("relation"), tail: text("tail") }),
        answer: text("answer"),
        k: Math.round(number("k", 1, MOST, FEW)),
        known: text("known") !== "hide",
      };
  }
}

export function ask(parts: Partial<Parts>): AskRoute {
  return { view: "ask", head: "", relation: "", tail: "", answer: "", k: FEW, known: true, ...parts };
}

export function newFacts(filters: Partial<NewFactsRoute>): NewFactsRoute {
  return { view: "new", relation: "", entity: "", type: "", gaps: false, atLeast: 0, k: MANY, ...filters };
}

/** The address that says this, as short as it can be. */
export function address(route: Route): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string | number, otherwise: string | number) => {
    if (value !== otherwise) query.set(name, String(value));
  };
  if (route.view !== "ask") query.set("view", route.view);
  if (route.view === "ask") {
    for (const part of PARTS) set(part, route[part], "");
    set("answer", route.answer, "");
    set("k", route.k, FEW);
    set("known", route.known ? "" : "hide", "");
  } else if (route.view === "new") {
    for (const name of ["relation", "entity", "type"] as const) set(name, route[name], "");
    set("gaps", route.gaps ? "only" : "", "");
    set("min", route.atLeast, 0);
    set("k", route.k, MANY);
  }
  const text = query.toString();
  return text ? `/?${text}` : "/";
}

/** The part that is asked for, if all others are given. */
export function asked(parts: Parts): Part | null {
  const open = PARTS.filter((part) => parts[part] === "");
  return open.length === 1 ? open[0]! : null;
}

/** The fact that a question and an answer make. */
export function completed(parts: Parts, answer: string): Parts {
  const part = asked(parts);
  const { head, relation, tail } = parts;
  return part ? { head, relation, tail, [part]: answer } : { head, relation, tail };
}
