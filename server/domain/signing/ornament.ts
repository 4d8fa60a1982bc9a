import { deflateSync } from 'node:zlib'
import {
  concatTransformationMatrix,
  drawObject,
  drawSvgPath,
  type PDFDocument,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib'

type Style = Partial<
  Pick<Parameters<typeof drawSvgPath>[1], 'color' | 'fillRule' | 'borderColor' | 'borderWidth'>
>

/** An SVG path, y downwards from the upper left corner, and how it is drawn. */
export type OrnamentPath = readonly [path: string, style: Style]

const AS_IT_IS = { x: 0, y: 0, scale: 1, color: undefined, borderColor: undefined, borderWidth: 0 }

/** A drawing that is the same on every paper: read and compressed once, and copied from then on. */
export type Ornament = {
  /** Left, bottom, right, top, with room for the width of lines. */
  box: readonly [number, number, number, number]
  /** Operators, deflated. */
  content: Uint8Array
}

const LINE_ROOM = 2

/** @param size of what the paths reach, in their own units */
export function makeOrnament(
  paths: readonly OrnamentPath[],
  { width, height }: { width: number; height: number },
): Ornament {
  const operators = paths.flatMap(([path, style]) =>
    drawSvgPath(path, { ...AS_IT_IS, ...style }).map(String),
  )
  return {
    box: [-LINE_ROOM, -height - LINE_ROOM, width + LINE_ROOM, LINE_ROOM],
    content: new Uint8Array(deflateSync(operators.join('\n'))),
  }
}

/**
 * Draws it with its upper left corner at `x`, `y`.
 *
 * @see ISO 32000-2:2020, 8.10
 */
export function drawOrnament(
  { document, page }: { document: PDFDocument; page: PDFPage },
  { box, content }: Ornament,
  { x, y, scale = 1 }: { x: number; y: number; scale?: number },
): void {
  const { context } = document
  const stream = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [...box],
    Resources: {},
    Filter: 'FlateDecode',
  })
  const name = page.node.newXObject('Ornament', context.register(stream))
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(scale, 0, 0, scale, x, y),
    drawObject(name),
    popGraphicsState(),
  )
}
