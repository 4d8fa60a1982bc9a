import { deflateSync } from 'node:zlib'
import { concatBytes } from '#server/domain/bytes.ts'
import { fromLatin1 } from '#server/domain/pdf/characters.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  isArray,
  name,
  withEntries,
} from '#server/domain/pdf/object.ts'
import { archivalNeedsOf } from './archival-needs.ts'

/**
 * Says that the device colours of the file are sRGB, if it claims PDF/A and says nothing about them: it has none.
 *
 * @see ISO 32000-2:2020, 14.11.5; ISO 19005-1:2005, 6.2.2
 */
export function sayColours(update: IncrementalUpdate): void {
  if (update.document.once(archivalNeedsOf)?.colours !== 'none') return
  const profile = update.add({
    kind: 'new-stream',
    dictionary: dictionary({ N: 3, Filter: name('FlateDecode') }),
    data: new Uint8Array(deflateSync(srgbProfile())),
  })
  const intent = dictionary({
    Type: name('OutputIntent'),
    S: name('GTS_PDFA1'),
    OutputConditionIdentifier: byteString(fromLatin1(PROFILE_NAME)),
    Info: byteString(fromLatin1(PROFILE_NAME)),
    DestOutputProfile: profile,
  })
  const catalog = update.catalog()
  const current = update.resolve(catalog.entries.get('OutputIntents'))
  const OutputIntents = array([...(isArray(current) ? current.items : []), intent])
  update.setCatalog(withEntries(catalog, { OutputIntents }))
}

const PROFILE_NAME = 'sRGB IEC61966-2.1'

/** Numbers of an ICC profile have 16 bits before and 16 behind the point. */
const fixed = (value: number) => uint32(Math.round(value * 65_536))

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

const zeros = (length: number) => new Uint8Array(length)
const xyz = (...values: readonly number[]) =>
  concatBytes(fromLatin1('XYZ '), zeros(4), ...values.map(fixed))

/** Of the illuminant D50, to which all values of a profile refer. */
const D50 = [0.9642, 1, 0.8249] as const
const HEADER_BYTES = 128
const VERSION_2_1 = 0x02100000
/** 2.2, with 8 bits before and 8 behind the point. */
const GAMMA = new Uint8Array([0x02, 0x33])

/** The smallest profile that states the primaries of sRGB, its curve as a power. @see ICC.1:2001-04 */
function srgbProfile(): Uint8Array {
  const label = concatBytes(fromLatin1(PROFILE_NAME), zeros(1))
  const curve = concatBytes(fromLatin1('curv'), zeros(4), uint32(1), GAMMA, zeros(2))
  const tags: [string, Uint8Array][] = [
    ['desc', concatBytes(fromLatin1('desc'), zeros(4), uint32(label.length), label, zeros(80))],
    ['cprt', concatBytes(fromLatin1('text'), zeros(4), fromLatin1('No copyright'), zeros(1))],
    ['wtpt', xyz(...D50)],
    ['rXYZ', xyz(0.43607, 0.2225, 0.01393)],
    ['gXYZ', xyz(0.38506, 0.71688, 0.0971)],
    ['bXYZ', xyz(0.14308, 0.06062, 0.71417)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  let offset = HEADER_BYTES + 4 + 12 * tags.length
  const rows: Uint8Array[] = []
  const data: Uint8Array[] = []
  for (const [tag, bytes] of tags) {
    const padded = concatBytes(bytes, zeros((4 - (bytes.length % 4)) % 4))
    rows.push(concatBytes(fromLatin1(tag), uint32(offset), uint32(bytes.length)))
    data.push(padded)
    offset += padded.length
  }
  return concatBytes(header(offset), uint32(tags.length), ...rows, ...data)
}

function header(size: number): Uint8Array {
  const bytes = zeros(HEADER_BYTES)
  bytes.set(uint32(size), 0)
  bytes.set(uint32(VERSION_2_1), 8)
  bytes.set(fromLatin1('mntrRGB XYZ '), 12)
  // 1 January 2026
  bytes.set([0x07, 0xea, 0, 1, 0, 1], 24)
  bytes.set(fromLatin1('acsp'), 36)
  bytes.set(concatBytes(...D50.map(fixed)), 68)
  return bytes
}
