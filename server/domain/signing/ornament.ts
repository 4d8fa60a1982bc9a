import { deflateSync } from 'node:zlib'
import { type PathPaint, paintedPath } from '#server/domain/pdf/canvas.ts'
import { fromLatin1 } from '#server/domain/pdf/characters.ts'
import { array, dictionary, name } from '#server/domain/pdf/object.ts'
import type { NewStream } from '#server/domain/pdf/serialize.ts'
import { pathOperators } from '#server/domain/pdf/svg-path.ts'

/** An SVG path, y downwards from the upper left corner, and how it is painted. */
export type OrnamentPath = readonly [path: string, paint: PathPaint]

/** A drawing that is the same on every paper: parsed and compressed once, then copied. */
export type Ornament = {
  /** Left, bottom, right, top, with room for the width of lines. */
  box: readonly [number, number, number, number]
  /** Operators, deflated. */
  content: Uint8Array
  /** The same without colours. */
  greyContent: Uint8Array
}

const LINE_ROOM = 2

/** @param size the extent of the paths, in their units */
export function makeOrnament(
  paths: readonly OrnamentPath[],
  { width, height }: { width: number; height: number },
): Ornament {
  const content = (isGrey: boolean) => {
    const painted = paths.map(([path, paint]) => paintedPath(pathOperators(path), paint, isGrey))
    const operators = ['1 0 0 -1 0 0 cm', ...painted].join('\n')
    return new Uint8Array(deflateSync(fromLatin1(operators)))
  }
  return {
    box: [-LINE_ROOM, -height - LINE_ROOM, width + LINE_ROOM, LINE_ROOM],
    content: content(false),
    greyContent: content(true),
  }
}

/** The origin is its upper left corner. @see ISO 32000-2:2020, 8.10 */
export const ornamentStream = (
  { box, content, greyContent }: Ornament,
  isGrey: boolean,
): NewStream => ({
  kind: 'new-stream',
  dictionary: dictionary({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: array(box),
    Resources: dictionary({}),
    Filter: name('FlateDecode'),
  }),
  data: isGrey ? greyContent : content,
})
