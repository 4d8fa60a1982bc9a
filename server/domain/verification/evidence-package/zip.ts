import { type Instant, toTimestamp } from '#server/domain/time.ts'

/** A file for an archive, of which everything is known before its first byte is written. */
export type ZipFile = {
  /** With `/` between folders. */
  name: string
  size: number
  /** Of the content. @see ISO 3309 */
  crc32: number
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Files are stored as they are. */
const VERSION = 10
/** The name is UTF-8: bit 11 of the flags. */
const IN_UTF8 = 0x0800
const LARGEST = 0xffff_ffff
const LOCAL_LENGTH = 30
const CENTRAL_LENGTH = 46
const END_LENGTH = 22

/** How long the archive of these files is. @throws {RangeError} from 4 GB on */
export function zipLength(files: readonly ZipFile[]): number {
  const length = files.reduce(
    (sum, file) => sum + LOCAL_LENGTH + CENTRAL_LENGTH + 2 * nameOf(file).length + file.size,
    END_LENGTH,
  )
  if (length > LARGEST) throw new RangeError(`an archive of ${length} bytes`)
  return length
}

/**
 * The archive, file after file in the order given, without holding any: the same files and the same time give
 * the same bytes.
 *
 * @param at what is written as the time of every file
 * @see PKWARE APPNOTE 6.3.10, 4.3
 */
export async function* zipped(
  files: readonly ZipFile[],
  at: Instant,
): AsyncGenerator<Uint8Array, void> {
  zipLength(files)
  const entries: Uint8Array[] = []
  let offset = 0
  for (const file of files) {
    const shared = sharedFields(file, at)
    yield Buffer.concat([header(LOCAL, [VERSION]), shared, Buffer.alloc(2), nameOf(file)])
    yield* file.content()
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    entries.push(
      Buffer.concat([
        header(CENTRAL, [VERSION, VERSION]),
        shared,
        Buffer.alloc(2),
        rest,
        nameOf(file),
      ]),
    )
    offset += LOCAL_LENGTH + nameOf(file).length + file.size
  }
  const directory = Buffer.concat(entries)
  yield directory
  const end = Buffer.alloc(END_LENGTH)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  yield end
}

function header(signature: number, versions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * versions.length)
  bytes.writeUInt32LE(signature, 0)
  for (const [index, version] of versions.entries()) bytes.writeUInt16LE(version, 4 + 2 * index)
  return bytes
}

/** Flags, method, time, date, CRC-32, both sizes, length of the name: the same in both places. */
function sharedFields(file: ZipFile, at: Instant): Buffer {
  const { size, crc32 } = file
  const name = nameOf(file)
  const bytes = Buffer.alloc(22)
  // Names of ASCII need no mark: packages that were made before have the same bytes.
  if (name.length > file.name.length) bytes.writeUInt16LE(IN_UTF8)
  const { date, time } = dosTime(at)
  bytes.writeUInt16LE(time, 4)
  bytes.writeUInt16LE(date, 6)
  bytes.writeUInt32LE(crc32, 8)
  bytes.writeUInt32LE(size, 12)
  bytes.writeUInt32LE(size, 16)
  bytes.writeUInt16LE(name.length, 20)
  return bytes
}

/** As UTC shows it, in steps of two seconds. */
function dosTime(at: Instant): { date: number; time: number } {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = toTimestamp(at)
    .split(/[-T:.]/)
    .map(Number)
  return {
    date: ((year - 1980) << 9) | (month << 5) | day,
    time: (hour << 11) | (minute << 5) | (second >> 1),
  }
}

const nameOf = ({ name }: ZipFile) => Buffer.from(name)
