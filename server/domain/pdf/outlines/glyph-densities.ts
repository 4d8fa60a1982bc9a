import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { glyphReader, type Tables, table, tablesOf } from '#server/domain/pdf/true-type.ts'
import { limitedTo, type Point, type Spend } from './bounds.ts'
import { type CffGlyphs, cffGlyphs, placed } from './cff-glyphs.ts'
import type { Matrix } from './cff-parts.ts'
import { type Contour, contourCollector } from './contours.ts'
import { type Densities, densestOf, densitiesOf } from './densest-part.ts'
import { CFF_VERSION, compactFontIn } from './glyph-bounds.ts'
import { contourReader } from './true-type-contours.ts'

/** What the glyphs of a font fill; undefined for outlines that are not read to their end. */
export type GlyphDensities = {
  /** In a font of TrueType a glyph is known by its number alone. */
  of(glyph: number): Densities | undefined
  /** Of each window, the densest glyph. */
  all(): Densities | undefined
  readonly isTrueType: boolean
  /** The glyphs of a bare font of the Compact Font Format by their names; undefined for others. */
  byName(): ReadonlyMap<string, number> | undefined
}

/** Of a whole font: more than those of Latin letters have. */
const MOST_STEPS = 4_000_000
const BYTES_IN_STEP = 8

/** @throws {PdfError} `too-complex`, later too */
export function glyphDensities(program: Uint8Array, meter: WorkMeter): GlyphDensities {
  const spend = limitedTo(MOST_STEPS, meter, BYTES_IN_STEP)
  const outlines = orUndefined(() => outlinesIn(program, spend))
  const known = new Map<number, Densities | undefined>()
  const measured = (glyph: number) =>
    orUndefined(
      () => outlines && densestOf(outlines.of(glyph).map((one) => densitiesOf(one, spend))),
    )
  const of = (glyph: number) => {
    if (!known.has(glyph)) known.set(glyph, measured(glyph))
    return known.get(glyph)
  }
  let whole: { readonly densest: Densities | undefined } | undefined
  return {
    of,
    isTrueType: outlines?.isTrueType ?? false,
    byName: () => orUndefined(() => outlines?.byName?.()),
    all() {
      whole ??= { densest: outlines && densestIn(outlines.count, of) }
      return whole.densest
    },
  }
}

function densestIn(count: number, of: GlyphDensities['of']): Densities | undefined {
  const all: Densities[] = []
  for (let glyph = 0; glyph < count; glyph++) {
    const one = of(glyph)
    if (!one) return undefined
    all.push(one)
  }
  return densestOf(all)
}

function orUndefined<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The contours of each glyph in parts of the em, in each size in which readers draw them. */
type Outlines = {
  readonly count: number
  readonly isTrueType: boolean
  byName?(): ReadonlyMap<string, number>
  of(glyph: number): (readonly Contour[])[]
}

function outlinesIn(program: Uint8Array, spend: Spend): Outlines {
  // A copy: what is outside of it is not read.
  const own = program.slice()
  if (own[0] === CFF_VERSION) return bareOutlines(own, spend)
  const tables = tablesOf(own)
  if (!tables.has('CFF ')) return trueTypeOutlines(tables, spend)
  const { file, em } = compactFontIn(tables)
  return compactOutlines(cffGlyphs(file, spend), em)
}

function trueTypeOutlines(tables: Tables, spend: Spend): Outlines {
  const em = table(tables, 'head').getUint16(18)
  if (em === 0) throw new RangeError('the font has no em')
  const { count, outline } = glyphReader(tables)
  const read = contourReader(outline, spend)
  return { count, isTrueType: true, of: (glyph) => [sized(read(glyph), scaledTo(em))] }
}

function bareOutlines(file: Uint8Array, spend: Spend): Outlines {
  const glyphs = cffGlyphs(file, spend)
  return { ...compactOutlines(glyphs), byName: glyphs.byName }
}

function compactOutlines({ count, draw }: CffGlyphs, em?: number): Outlines {
  return {
    count,
    isTrueType: false,
    of(glyph) {
      const { contours, add } = contourCollector()
      const matrix = draw(glyph, add)
      const isOther = em !== undefined && matrix[0] !== 1 / em
      return [matrix, ...(isOther ? [scaledTo(em)] : [])].map((one) => sized(contours, one))
    },
  }
}

const scaledTo = (em: number): Matrix => [1 / em, 0, 0, 1 / em, 0, 0]

const sized = (contours: readonly Contour[], matrix: Matrix): Contour[] =>
  contours.map((contour) => contour.map((point): Point => placed(point, matrix)))
