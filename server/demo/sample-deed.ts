import type { z } from 'zod'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import type { DocumentKind } from '#server/domain/documents/document.ts'
import type { Instrument } from '#server/domain/documents/instrument.ts'
import { startFlow, writeText } from '#server/domain/signing/flowing-text.ts'
import { createPaper, finishPaper, INK, LETTER } from '#server/domain/signing/paper.ts'

export type SampleDeed = {
  title: string
  kind: DocumentKind
  instrument?: z.input<typeof Instrument>
  heading: string
  paragraphs: readonly string[]
}

const LOOK = { size: 11, color: INK }
const HEADING = { size: 13, color: INK, isBold: true }
const MOST_PAGES = 20

/** A document of a few pages as an office would type it. */
export function renderSampleDeed({ heading, paragraphs }: SampleDeed): Uint8Array {
  const flow = startFlow(createPaper(LETTER, loadSheetFonts()), LETTER.height - 72, MOST_PAGES)
  writeText(flow, heading, HEADING)
  for (const paragraph of paragraphs) {
    flow.y -= LOOK.size
    writeText(flow, paragraph, LOOK)
  }
  return finishPaper(flow.paper)
}
