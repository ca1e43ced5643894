import type { ModelCard, NewFact } from "./api";
import { PARTS } from "./route";

export type Mark = "accepted" | "rejected";
export interface MarkedFact extends NewFact {
  mark: Mark;
}

/** A name for a model: what it was made of and how. */
export function modelKey({ entities, relations, facts, stages, provenance }: ModelCard): string {
  const text = JSON.stringify([entities, relations, facts, stages, Object.entries(provenance).sort()]);
  let hash = 0xcbf29ce484222325n; // FNV-1a, 64 bits
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

const idOf = ({ head, relation, tail }: NewFact) => JSON.stringify([head, relation, tail]);

function isMarked(value: unknown): value is MarkedFact {
  const fact = value as MarkedFact | null;
  return (
    typeof fact === "object" &&
    fact !== null &&
    PARTS.every((part) => typeof fact[part] === "string") &&
    typeof fact.probability === "number" &&
    (fact.mark === "accepted" || fact.mark === "rejected")
  );
}

/** What a person thinks of new facts, kept by the browser for one model. Other tabs see it, too. */
export class Marks extends EventTarget {
  private facts = new Map<string, MarkedFact>();
  private readonly place: string;

  constructor(key: string) {
    super();
    this.place = `marks ${key}`;
    this.read();
    window.addEventListener("storage", (event) => {
      if (event.key !== this.place && event.key !== null) return;
      this.read();
      this.dispatchEvent(new Event("change"));
    });
  }

  of(fact: NewFact): Mark | null {
    return this.facts.get(idOf(fact))?.mark ?? null;
  }

  /** In the order in which they were made. */
  all(): MarkedFact[] {
    return [...this.facts.values()];
  }

  count(mark: Mark): number {
    return this.all().filter((fact) => fact.mark === mark).length;
  }

  /** Null takes the mark away. */
  set({ head, relation, tail, probability }: NewFact, mark: Mark | null): void {
    const fact = { head, relation, tail, probability };
    this.read();
    this.facts.delete(idOf(fact));
    if (mark) this.facts.set(idOf(fact), { ...fact, mark });
    this.write();
  }

  clear(): void {
    this.facts.clear();
    this.write();
  }

  private read(): void {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.place) ?? "[]");
      this.facts = new Map((Array.isArray(stored) ? stored : []).filter(isMarked).map((fact) => [idOf(fact), fact]));
    } catch {
      // Storage is forbidden, or holds something else: marks last as long as the page.
    }
  }

  private write(): void {
    try {
      if (this.facts.size > 0) localStorage.setItem(this.place, JSON.stringify(this.all()));
      else localStorage.removeItem(this.place);
    } catch {
      // As above, or it is full.
    }
    this.dispatchEvent(new Event("change"));
  }
}
