import { CLASSES } from './classes.ts'
import type { Examined } from './examine.ts'

/** The right answers per class, and the mistakes of the others. */
export function summaryOf(examined: readonly Examined[]): string {
  return Object.keys(CLASSES)
    .flatMap((kind) =>
      linesOf(
        kind,
        examined.filter((one) => one.kind === kind),
      ),
    )
    .join('\n')
}

function linesOf(kind: string, examined: readonly Examined[]): string[] {
  if (examined.length === 0) return []
  const wrong = examined.filter(({ fault }) => fault !== undefined)
  const mark = wrong.length === 0 ? '✓' : '✗'
  return [
    `${mark} ${kind}: ${examined.length - wrong.length} right, ${wrong.length} wrong`,
    ...wrong.map(({ file, fault, verdicts }) => `    ${file}: ${fault} (${verdicts.join(' / ')})`),
  ]
}
