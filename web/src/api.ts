import { Marks, modelKey } from "./marks";
import type { Parts } from "./route";

export interface Answer {
  answer: string;
  probability: number;
  margin: number;
  known: boolean;
}
/** Counts of equal steps from low to high. */
export interface Histogram {
  low: number;
  high: number;
  counts: number[];
}
export interface Predicted {
  answers: Answer[];
  histogram?: Histogram;
}
export interface Evidence {
  kind: "path" | "attribute" | "mirror";
  confidence: number;
  holds: number;
  of: number;
  sentence: string;
  facts: Parts[];
}
/** What the first stage's margin is made of. */
export interface MarginParts {
  base: { constant: number; score: number; head_count: number; tail_count: number; self: number };
  trees_expected: number;
  sides: { head: number; relation: number; tail: number };
  support: (Parts & { cosine: number })[];
}
export interface Standing {
  probability: number;
  margin: number;
  tail_rank: number;
  head_rank: number;
}
/** A model of one stage has the parts of the margin at the top, one of two has evidence. */
export interface Explanation extends Parts, Standing, Partial<MarginParts> {
  known: boolean;
  evidence?: Evidence[];
  base_rate?: string;
  against?: string[];
  first_stage?: Standing & MarginParts;
}
export interface FactsAround {
  facts: Parts[];
  truncated: boolean;
}
export interface NewFact extends Parts {
  probability: number;
  reason?: string | null; // null: no known fact supports it
}
export interface NewFacts {
  facts: NewFact[];
  missing_share: number | null; // null: the probabilities assume that each query has an answer
  queries_left_out: number;
}
interface Quality {
  mrr: number;
  hits_at_1: number;
  hits_at_3: number;
  hits_at_10: number;
}
export interface Metrics {
  of: string;
  split: string;
  protocol: string;
  queries: number;
  both: { realistic: Quality };
}
/** How good new facts are, as `greenkgc evaluate --task completion` measures it: hidden facts among the proposals. */
export interface Completion {
  split: string;
  hidden: number;
  proposals: number;
  r_precision: number;
  average_precision: number;
  recall: number;
  precision_90: number | null;
  n_90: number;
  precision_50: number | null;
  n_50: number;
  calibration_error: number;
  second_values: number | null;
  bins: ReliabilityBin[];
  relations: RelationQuality[];
}
export interface ReliabilityBin {
  from: number;
  to: number;
  candidates: number;
  facts: number;
  predicted: number;
  observed: number;
}
export interface RelationQuality {
  relation: string;
  hidden: number;
  proposals: number;
  r_precision: number;
  average_precision: number;
  precision_50: number | null;
  n_50: number;
  recall: number;
}
export interface ModelCard {
  file: string;
  bytes: number;
  entities: number;
  relations: number;
  facts: number;
  dims: number;
  trees: number;
  stages: number;
  second_stage: { trees: number } | null;
  provenance: Record<string, string>;
  metrics: { metrics: Metrics[]; completion?: Completion | null } | null;
}

/** A request that came to nothing. Status 0: no server answered. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, "unreachable", "The server does not respond.");
}

let token: string | null = null;

export function setToken(value: string): void {
  token = value;
  try {
    sessionStorage.setItem("token", value);
  } catch {
    // Storage is forbidden: it lasts as long as the page.
  }
}

/** The token that was given, if any; "" otherwise. */
export function currentToken(): string {
  try {
    token ??= sessionStorage.getItem("token");
  } catch {
    // As above.
  }
  return token ?? "";
}

type Query = Record<string, string | number | boolean>;

async function get<T>(path: string, query: Query, signal: AbortSignal | undefined): Promise<T> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const bearer = currentToken();
  const headers: HeadersInit = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`/v1/${path}?${search}`, { headers, signal: signal ?? null });
    body = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof SyntaxError) throw new ApiError(502, "not_json", "The response is not from greenkgc.");
    throw unreachable();
  }
  if (response.ok) return body as T;
  const { error } = body as { error?: { code?: string; message?: string } };
  throw new ApiError(
    response.status,
    error?.code ?? "",
    error?.message ?? `The server answered with status ${response.status}.`,
  );
}

function given(parts: Parts): Query {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ""));
}

export type LabelKind = "entities" | "relations";

async function labels(
  kind: LabelKind,
  q: string,
  match: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const found = await get<Record<LabelKind, { label: string }[]>>(kind, { q, match, limit }, signal);
  return found[kind].map((entry) => entry.label);
}

/** Labels that begin with a text, then those that have it anywhere. */
export async function search(kind: LabelKind, q: string, limit: number, signal?: AbortSignal): Promise<string[]> {
  const first = await labels(kind, q, "prefix", limit, signal);
  if (first.length >= limit || q === "") return first;
  const anywhere = await labels(kind, q, "substring", limit, signal);
  return [...new Set([...first, ...anywhere])].slice(0, limit);
}

const BINS = 48;

/** The scores of all candidates are left out where there are too many of them for the server. */
export async function predict(
  { head, relation, tail }: Parts,
  { k, known }: { k: number; known: boolean },
  signal: AbortSignal,
): Promise<Predicted> {
  const query = { ...given({ head, relation, tail }), k, include_known: known };
  try {
    return await get("predict", { ...query, histogram: BINS }, signal);
  } catch (error) {
    if (error instanceof ApiError && error.code === "out_of_bounds") return get("predict", query, signal);
    throw error;
  }
}

export function explain({ head, relation, tail }: Parts, signal: AbortSignal): Promise<Explanation> {
  return get("explain", { head, relation, tail, most: 5 }, signal);
}

export function factsAround(entity: string, limit: number, signal: AbortSignal): Promise<FactsAround> {
  return get("facts", { entity, limit }, signal);
}

export async function alike(entity: string, k: number, signal: AbortSignal): Promise<string[]> {
  const found = await get<{ neighbors: { entity: string }[] }>("neighbors", { entity, k }, signal);
  return found.neighbors.map((neighbor) => neighbor.entity);
}

export interface Wanted {
  relation: string;
  entity: string;
  type: string;
  gaps: boolean;
  atLeast: number; // probability
  k: number;
}

/** New facts with their reasons, most probable first. */
export function newFactsOf({ relation, entity, type, ...wanted }: Wanted, signal: AbortSignal): Promise<NewFacts> {
  const labels = Object.fromEntries(Object.entries({ relation, entity, type }).filter(([, value]) => value !== ""));
  const { gaps, atLeast, k } = wanted;
  return get("complete", { ...labels, only_gaps: gaps, min_probability: atLeast, k, reasons: true }, signal);
}

export function modelCard(signal?: AbortSignal): Promise<ModelCard> {
  return get("model", {}, signal);
}

let kept: Promise<Marks> | undefined;

/** The marks of facts of the model that is served: the same object for all who ask. */
export function marksOfModel(): Promise<Marks> {
  kept ??= modelCard().then(
    (card) => new Marks(modelKey(card)),
    (error: unknown) => {
      kept = undefined; // to be asked for again
      throw error;
    },
  );
  return kept;
}
