/**
 * Whether a profile leaves what is pale pale: gray, or red, green and blue with a curve for each, as most have. Tables, and
 * steep curves, can make any difference large, so that what differs hardly among the samples is black on white.
 *
 * @param count of the components of a sample
 * @see ICC.1:2022, 7, 9.2 and 10
 */
export function isPlainProfile(profile: Uint8Array, count: number): boolean {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
  try {
    return isPlain(view, count)
  } catch (error) {
    // It ends too early.
    if (error instanceof RangeError) return false
    throw error
  }
}

const KINDS: Record<number, { space: string; curves: string[]; colours: string[] }> = {
  1: { space: 'GRAY', curves: ['kTRC'], colours: [] },
  3: { space: 'RGB ', curves: ['rTRC', 'gTRC', 'bTRC'], colours: ['rXYZ', 'gXYZ', 'bXYZ'] },
}

function isPlain(view: DataView, count: number): boolean {
  const kind = KINDS[count]
  if (!kind || nameAt(view, 36) !== 'acsp' || nameAt(view, 16) !== kind.space) return false
  const tags = tagsOf(view)
  if (!tags || [...tags.keys()].some((name) => /^[AD]2B/.test(name))) return false
  const [curves, colours] = [kind.curves, kind.colours].map((names) =>
    names.map((name) => tags.get(name) ?? view.byteLength),
  )
  return curves!.every((at) => isFlat(curveAt(view, at))) && areUsual(view, colours!)
}

const MOST_TAGS = 100

/** Where each is, by its name; undefined if one stands twice. */
function tagsOf(view: DataView): Map<string, number> | undefined {
  const count = view.getUint32(128)
  if (count > MOST_TAGS) return undefined
  const tags = new Map<string, number>()
  for (let at = 132; at < 132 + 12 * count; at += 12)
    tags.set(nameAt(view, at), view.getUint32(at + 4))
  return tags.size === count ? tags : undefined
}

const nameAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((off) => view.getUint8(at + off)))

/** The light of some components, from 0 to 1, in their order. @see ICC.1:2022, 10.6 and 10.18 */
function curveAt(view: DataView, at: number): number[] {
  const name = nameAt(view, at)
  if (name === 'para') return parametric(view, at)
  const count = name === 'curv' ? view.getUint32(at + 8) : 2
  if (name !== 'curv' || count > MOST_ENTRIES) return [1, 0]
  if (count === 0) return sampled((x) => x)
  if (count === 1) return sampled((x) => x ** (view.getUint16(at + 12) / 256))
  return Array.from({ length: count }, (_, entry) => view.getUint16(at + 12 + 2 * entry) / 65_535)
}

const MOST_ENTRIES = 65_536

/** How many numbers each kind of function has. @see ICC.1:2022, table 68 */
const PARAMETERS = [1, 3, 4, 5, 7]

function parametric(view: DataView, at: number): number[] {
  const kind = view.getUint16(at + 8)
  const length = PARAMETERS[kind]
  if (length === undefined) return [1, 0]
  const numbers = Array.from({ length }, (_, one) => fixedAt(view, at + 12 + 4 * one))
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers
  const power = (x: number) => Math.max(0, a * x + b) ** g
  if (kind === 0) return sampled((x) => x ** g)
  if (kind < 3) return sampled((x) => power(x) + c)
  return sampled((x) => (x >= d ? power(x) + e : c * x + f))
}

const fixedAt = (view: DataView, at: number) => view.getInt32(at) / 65_536

const sampled = (curve: (x: number) => number) =>
  Array.from({ length: 256 }, (_, at) => Math.min(1, Math.max(0, curve(at / 255))))

/** Whether it rises all the way, and an eighth of it makes no great difference to the eye. */
function isFlat(light: readonly number[]): boolean {
  const seen = light.map((one) => one ** (1 / USUAL_GAMMA))
  const eighth = Math.floor(seen.length / 8)
  return seen.every((one, at) => {
    const [before, farBefore] = [seen[at - 1] ?? 0, seen[Math.max(0, at - eighth)]!]
    return one >= before && one - farBefore <= MOST_SEEN
  })
}

const USUAL_GAMMA = 2.2
/** Of white: where light is counted as it is, dark shades differ most. */
const MOST_SEEN = 0.4

/** In parts of white. @see ICC.1:2022, 10.31 */
const areUsual = (view: DataView, places: readonly number[]) =>
  places.every(
    (at) =>
      nameAt(view, at) === 'XYZ ' &&
      [8, 12, 16].every((off) => Math.abs(fixedAt(view, at + off)) <= MOST_OF_WHITE),
  )
const MOST_OF_WHITE = 1.2
