/** "91.2 %"; never 0 % or 100 %, which no model can know. */
export function percent(probability: number): string {
  if (probability < 0.001) return "< 0.1 %";
  if (probability > 0.999) return "> 99.9 %";
  return `${(100 * probability).toFixed(1)} %`;
}

export function count(value: number, noun?: string, nouns = `${noun}s`): string {
  const digits = Math.round(value).toLocaleString("en-US");
  return noun === undefined ? digits : `${digits} ${value === 1 ? noun : nouns}`;
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit + 1 < units.length) {
    value /= 1000;
    ++unit;
  }
  return `${unit > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** Ranks are whole, or halves where answers are level. */
export function rank(value: number): string {
  return Number.isInteger(value) ? count(value) : value.toFixed(1);
}

/** The part of a label that a small picture has room for: of an IRI or a path its last part. */
export function short(label: string, most = 24): string {
  const iri = /^<?(?:[a-z][a-z0-9+.-]*:\/|\/).*[/#]([^/#>]+)[/#]?>?$/i.exec(label);
  const text = iri?.[1] ?? label;
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What a file of a run is, in the words of the report. */
export function outputTitle(file: string, stages: number): string {
  const titles: Record<string, string> = {
    "embeddings.safetensors": "embeddings",
    "features.safetensors": "pruned embeddings",
    "first_stage.gkgc": "model, first stage",
    "model.gkgc": stages === 2 ? "model, both stages" : "model",
  };
  return titles[file] ?? file;
}
