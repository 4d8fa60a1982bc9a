import { crc32, deflateRawSync } from 'node:zlib'

export type ZippedFile = {
  name: string
  bytes: Uint8Array
  method: 'stored' | 'deflated'
  /** Replaces the packed content: its real size then differs from the stated one. */
  packed?: Uint8Array
  /** External ones: type and mode of the file in the upper half. */
  attributes?: number
}

/** An archive with these files. @see APPNOTE.TXT 6.3.10, 4.3 */
export function zipOf(files: readonly ZippedFile[]): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, bytes, method, packed, attributes = 0 } of files) {
    const content = packed ?? (method === 'stored' ? bytes : deflateRawSync(bytes))
    const title = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(method === 'stored' ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, title, content])
    const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, Buffer.alloc(14), title])
    entry.writeUInt32LE(attributes, 38)
    entry.writeUInt32LE(at, 42)
    locals.push(local)
    directory.push(entry)
    at += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...locals, listing, end]))
}
