/** Lines of values between tabs, as `greenkgc complete` writes them. Tabs and line breaks in labels become spaces. */
export function tsv(rows: (string | number)[][]): string {
  const text = (value: string | number) =>
    typeof value === "number" ? String(Number(value.toPrecision(6))) : value.replace(/[\t\r\n]/g, " ");
  return rows.map((row) => row.map(text).join("\t") + "\n").join("");
}

/** Has the browser save a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
