import { decimal } from './canvas.ts'

type Point = readonly [x: number, y: number]

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi
/** How many numbers each command takes; their small letters count from where the path is. */
const ARITY: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, A: 7, Z: 0 }

/**
 * The path of an SVG drawing as operators of a page, in the same coordinates: y runs downwards.
 *
 * @throws {RangeError} for a command that none of our drawings has
 * @see https://www.w3.org/TR/SVG2/paths.html; ISO 32000-2:2020, 8.5.2
 */
export function pathOperators(path: string): string {
  const operators: string[] = []
  let at: Point = [0, 0]
  let start: Point = at
  for (const { command, isRelative, numbers } of commandsOf(path)) {
    const [x0, y0]: Point = isRelative ? at : [0, 0]
    const point = (index: number): Point => [numbers[index]! + x0, numbers[index + 1]! + y0]
    switch (command) {
      case 'M':
        at = start = point(0)
        operators.push(`${pair(at)} m`)
        break
      case 'L':
        at = point(0)
        operators.push(`${pair(at)} l`)
        break
      case 'H':
        at = [numbers[0]! + x0, at[1]]
        operators.push(`${pair(at)} l`)
        break
      case 'V':
        at = [at[0], numbers[0]! + y0]
        operators.push(`${pair(at)} l`)
        break
      case 'C':
        operators.push(`${pair(point(0))} ${pair(point(2))} ${pair(point(4))} c`)
        at = point(4)
        break
      case 'A':
        operators.push(...arc(at, point(5), numbers))
        at = point(5)
        break
      case 'Z':
        at = start
        operators.push('h')
    }
  }
  return operators.join('\n')
}

const pair = ([x, y]: Point) => `${decimal(x)} ${decimal(y)}`

type Command = { command: string; isRelative: boolean; numbers: readonly number[] }

function* commandsOf(path: string): Generator<Command> {
  for (const [, letter = '', rest = ''] of path.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const command = letter.toUpperCase()
    const arity = ARITY[command]
    const numbers = (rest.match(NUMBER) ?? []).map(Number)
    if (arity === undefined || numbers.length !== arity)
      throw new RangeError(`no command of ours: ${letter}${rest}`)
    yield { command, isRelative: letter !== command, numbers }
  }
}

/**
 * An elliptical arc as Bézier curves, each of at most a quarter.
 *
 * @see https://www.w3.org/TR/SVG2/implnote.html#ArcConversionEndpointToCenter
 */
function arc(from: Point, to: Point, numbers: readonly number[]): string[] {
  const [radiusX = 0, radiusY = 0, turn = 0, isLarge, isSweeping] = numbers
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [halfX, halfY] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2]
  const [x, y] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX]
  // Radii that are too short to reach are made just long enough.
  const scale = Math.max(1, Math.hypot(x / radiusX, y / radiusY))
  const [rx, ry] = [radiusX * scale, radiusY * scale]
  const reach = (rx * y) ** 2 + (ry * x) ** 2
  const side = isLarge === isSweeping ? -1 : 1
  const distance = side * Math.sqrt(Math.max(0, (rx * ry) ** 2 / reach - 1))
  const [centreX, centreY] = [(distance * rx * y) / ry, (-distance * ry * x) / rx]
  const begin = Math.atan2((y - centreY) / ry, (x - centreX) / rx)
  const end = Math.atan2((-y - centreY) / ry, (-x - centreX) / rx)
  const sweep = sweepOf(end - begin, isSweeping === 1)
  const onEllipse = (u: number, v: number): Point => [
    cos * rx * u - sin * ry * v + cos * centreX - sin * centreY + (from[0] + to[0]) / 2,
    sin * rx * u + cos * ry * v + sin * centreX + cos * centreY + (from[1] + to[1]) / 2,
  ]
  const pieces = Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9)
  const step = sweep / pieces
  const pull = (4 / 3) * Math.tan(step / 4)
  return Array.from({ length: pieces }, (_, index) => {
    const [a, b] = [begin + index * step, begin + (index + 1) * step]
    const first = onEllipse(Math.cos(a) - pull * Math.sin(a), Math.sin(a) + pull * Math.cos(a))
    const second = onEllipse(Math.cos(b) + pull * Math.sin(b), Math.sin(b) - pull * Math.cos(b))
    return `${pair(first)} ${pair(second)} ${pair(onEllipse(Math.cos(b), Math.sin(b)))} c`
  })
}

function sweepOf(difference: number, isSweeping: boolean): number {
  if (isSweeping) return difference <= 0 ? difference + 2 * Math.PI : difference
  return difference >= 0 ? difference - 2 * Math.PI : difference
}
