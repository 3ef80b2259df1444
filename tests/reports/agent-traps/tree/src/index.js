/** Takes the common indentation off a template string. */
export function trimLines(strings, ...values) {
  const text = String.raw({ raw: strings.raw ?? strings }, ...values);
  const lines = text.replace(/^\n/, "").replace(/\n[ \t]*$/, "").split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => line.match(/^\s*/)[0].length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join("\n");
}
