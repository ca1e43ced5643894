import * as api from "./api";
import { chip, chips } from "./chips";
import { h, label } from "./dom";
import { factLine } from "./explanation";
import { ask, newFacts, type Parts } from "./route";

export function questionLine({ head, relation, tail }: Parts): HTMLElement {
  return factLine({ head: head || "?", relation: relation || "?", tail: tail || "?" });
}

export function welcome(questions: Parts[], relations: string[]): HTMLElement {
  return h(
    "div",
    {},
    h("p", { class: "lead" }, "Ask the graph for a missing fact."),
    h("p", {}, "Enter two parts of a fact; the model predicts the third."),
    chips(questions.map((parts) => chip(ask(parts), questionLine(parts)))),
    h("p", { class: "soft" }, "Or browse new facts of"),
    chips(relations.map((relation) => chip(newFacts({ relation }), label(relation)))),
  );
}

/** A few questions that the graph could answer by itself, each of an entity beside one of the first labels. */
export async function exampleQuestions(signal: AbortSignal): Promise<Parts[]> {
  const labels = await api.search("entities", "", 4, signal);
  const question = async (from: string, i: number): Promise<Parts[]> => {
    const [first] = (await api.factsAround(from, 2, signal)).facts;
    if (!first) return [];
    const head = first.head;
    const own = (await api.factsAround(head, 60, signal)).facts.filter((fact) => fact.head === head);
    const relations = [...new Set(own.map((fact) => fact.relation))];
    return relations.length > 0 ? [{ head, relation: relations[(5 * i) % relations.length]!, tail: "" }] : [];
  };
  return (await Promise.all(labels.map(question))).flat();
}
