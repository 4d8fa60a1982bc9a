import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import type { z } from 'zod'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import type { Instrument } from '#server/domain/documents/instrument.ts'
import { fontEngine } from '#server/domain/signing/font-subsetting.ts'

export type SampleDeed = {
  title: string
  kind: 'act' | 'certified-copy' | 'power-of-attorney' | 'contract' | 'letter'
  instrument?: z.input<typeof Instrument>
  heading: string
  paragraphs: readonly string[]
}

/** Letter, as Mexican offices print. In points. */
const PAGE = { width: 612, height: 792, margin: 72 }
const INK = rgb(0.1, 0.14, 0.12)
const LINE = 17
const SIZE = 11

/** A document of a few pages as an office would type it. */
export async function renderSampleDeed(deed: SampleDeed): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.registerFontkit(fontEngine)
  document.setTitle(deed.title)
  document.setLanguage('es-MX')
  const fonts = loadSheetFonts()
  const regular = await document.embedFont(fonts.regular, { subset: true })
  const bold = await document.embedFont(fonts.bold, { subset: true })

  let page = document.addPage([PAGE.width, PAGE.height])
  let y = PAGE.height - PAGE.margin
  const write = (text: string, isBold = false) => {
    if (y < PAGE.margin) {
      page = document.addPage([PAGE.width, PAGE.height])
      y = PAGE.height - PAGE.margin
    }
    const font = isBold ? bold : regular
    page.drawText(text, { x: PAGE.margin, y, size: isBold ? 13 : SIZE, font, color: INK })
    y -= LINE
  }
  const widthOf = (text: string) => regular.widthOfTextAtSize(text, SIZE)

  write(deed.heading, true)
  y -= LINE
  for (const paragraph of deed.paragraphs) {
    for (const line of wrapped(paragraph, widthOf)) write(line)
    y -= LINE / 2
  }
  return document.save()
}

function wrapped(text: string, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (widthOf(longer) > PAGE.width - 2 * PAGE.margin) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
