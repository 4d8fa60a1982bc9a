import type { Box } from './look.ts'
import { withPdfJs } from './readers/pdf-js.ts'
import { type Widget, widgetsIn } from './widgets.ts'

/** A place where the report says that something changed: there a reader may show something else. */
export type Excuse = {
  /** Counts from 1. */
  page: number
  box: Box
  /** What was printed there when the file was signed must still be seen: under the look of a later signature. */
  keepsInk: boolean
}

export type ExcusedField = Excuse & {
  /** An empty signature field without a look: MuPDF draws a mark of its own until it is signed. */
  isPlaceholder: boolean
}

/**
 * The places of the fields that the report lists as filled or added. A field that was signed counts where it was
 * then, wherever it is said to be now. pdf.js looks for them, because our own reader is what is tested.
 *
 * @param listed numbers of the objects that the report names
 */
export async function excusesFor(
  signed: Uint8Array,
  whole: Uint8Array,
  listed: ReadonlySet<number>,
): Promise<ExcusedField[]> {
  if (listed.size === 0) return []
  try {
    return await placesOf(listed, signed, whole)
  } catch {
    // A file that pdf.js does not read has no excuse; its look is compared like that of any other.
    return []
  }
}

async function placesOf(
  listed: ReadonlySet<number>,
  signed: Uint8Array,
  whole: Uint8Array,
): Promise<ExcusedField[]> {
  const before = new Map((await widgetsIn(signed)).map((widget) => [widget.number, widget]))
  const now = await widgetsIn(whole)
  const names = await namesOf(whole, listed)
  const isListed = ({ number, name }: Widget) =>
    listed.has(number) || names.some((one) => name === one || name.startsWith(`${one}.`))
  return now.filter(isListed).map((widget) => {
    const then = before.get(widget.number)
    const { page, box, type } = then ?? widget
    return {
      page,
      box,
      keepsInk: type === 'Sig' || then === undefined,
      isPlaceholder: then?.type === 'Sig' && !then.isDrawn,
    }
  })
}

/** The names of listed fields that have no place themselves, only their parts. */
function namesOf(file: Uint8Array, listed: ReadonlySet<number>): Promise<string[]> {
  return withPdfJs(file, async (document) => {
    const fields = (await document.getFieldObjects()) ?? {}
    const entries = (fields instanceof Map ? [...fields] : Object.entries(fields)) as [
      string,
      { id: string }[],
    ][]
    return entries.flatMap(([name, parts]) =>
      parts.some(({ id }) => listed.has(Number.parseInt(id, 10))) ? [name] : [],
    )
  })
}
