import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { concatBytes } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import { pacedBody } from './body-pace.ts'

/** Limit in bytes of a text field, and of a small file (a certificate, a private key). */
export const FIELD_LIMIT = 64 * 1024
/** Limit of fields in a form, unless its page allows more. */
export const FIELD_COUNT_LIMIT = 64
/** Limit in bytes of a field name. */
export const FIELD_NAME_LIMIT = 100
export const BODY_LIMIT = 512 * 1024

export type SmallFile = { name: string; bytes: Uint8Array }
export type FormEntries = [name: string, value: string | SmallFile][]
/** Keyed by field name. */
export type SmallFiles = Map<string, SmallFile>
export type StreamedFile = { name: string; chunks: AsyncIterable<Uint8Array> }

/**
 * Returns all fields of a small form, urlencoded or multipart, under the same limits.
 *
 * @throws {Problem} `bad-request`, `too-large`, `too-slow`
 */
export async function readEntries(
  request: Request,
  { maxFields = FIELD_COUNT_LIMIT }: { maxFields?: number } = {},
): Promise<FormEntries> {
  const type = request.headers.get('Content-Type') ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return entriesIn(await readText(request), maxFields)
  if (/^multipart\/form-data\b/i.test(type)) return readMultipart(request, maxFields)
  throw new Problem('bad-request', `a form of type ${type.slice(0, 80)}`)
}

function entriesIn(text: string, maxFields: number): FormEntries {
  // Count before decoding: 512 KiB can hold a quarter of a million fields.
  if (text.split('&', maxFields + 1).length > maxFields) throw tooManyFields()
  return [...new URLSearchParams(text)].map(([name, value]) => {
    const fault = faultOfField(name, Buffer.byteLength(value) > FIELD_LIMIT)
    if (fault) throw fault
    return [name, value]
  })
}

export const tooManyFields = () => new Problem('bad-request', 'too many fields')

/** Returns the problem with a form field, or undefined if it is valid. */
export function faultOfField(name: string, isTooLong: boolean): Problem | undefined {
  if (Buffer.byteLength(name) > FIELD_NAME_LIMIT)
    return new Problem('bad-request', `a field with a name of ${name.length} letters`)
  return isTooLong ? new Problem('too-large', `field ${name}`) : undefined
}

/**
 * Reads a multipart form with one large file as a stream; small files may follow it.
 *
 * @param accept called with the fields before the file; its result is returned. Its third argument resolves
 *   to the small files once the large file has been read
 * @param options.smallFiles how many small files the form may have
 * @param options.isPaced refuses a body that stalls
 * @throws {Problem} `bad-request` without a file or with fields after it; `too-large`; `too-slow`; any error that
 *   `accept` throws
 */
export async function streamFile<T>(
  request: Request,
  accept: (entries: FormEntries, file: StreamedFile, smallFiles: Promise<SmallFiles>) => Promise<T>,
  { smallFiles = 0, isPaced = false }: { smallFiles?: number; isPaced?: boolean } = {},
): Promise<T> {
  const parser = multipartParser(request, {
    fileSize: Number.POSITIVE_INFINITY,
    files: 1 + smallFiles,
  })
  const body = isPaced ? pacedBody(bodyOf(request)) : bodyOf(request)
  const entries: FormEntries = []
  const following: SmallFiles = new Map()
  const {
    promise: smallFilesRead,
    resolve: resolveSmallFiles,
    reject: rejectSmallFiles,
  } = Promise.withResolvers<SmallFiles>()
  // `accept` may not await this promise.
  smallFilesRead.catch(() => undefined)
  let accepted: Promise<T> | undefined
  let file: Readable | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (name, value, _nameTruncated, isTruncated) => {
        const fault = faultOfField(name, isTruncated)
        if (fault) reject(fault)
        else if (accepted) reject(new Problem('bad-request', `field ${name} after the file`))
        else entries.push([name, value])
      })
      parser.on('file', (field, stream, filename) => {
        const fault = faultOfField(field, false)
        if (fault) reject(fault)
        if (accepted) {
          collectSmallFile(stream, { field, name: filename ?? '', into: following, refuse: reject })
          return
        }
        file = stream
        stream.on('error', alreadyTold)
        accepted = accept(entries, { name: filename ?? '', chunks: stream }, smallFilesRead)
        // Drain a file that `accept` did not read to its end; otherwise the parser never finishes.
        accepted.then(
          () => stream.resume(),
          (error) => {
            stream.resume()
            reject(error)
          },
        )
      })
      parser.on('fieldsLimit', () => reject(tooManyFields()))
      parser.on('error', () => reject(new Problem('bad-request', 'malformed multipart body')))
      parser.on('finish', () => {
        resolveSmallFiles(following)
        resolve()
      })
      body.on('error', (error) =>
        reject(error instanceof Problem ? error : new Problem('bad-request', 'the body failed')),
      )
      body.pipe(parser)
    })
  } catch (error) {
    body.unpipe(parser)
    // Wakes pending readers: no more bytes will arrive.
    file?.destroy(new Problem('bad-request', 'the form was refused'))
    rejectSmallFiles(error)
    throw error
  }
  if (!accepted) throw new Problem('bad-request', 'no file in the form')
  return accepted
}

type SmallFileTarget = {
  field: string
  name: string
  into: SmallFiles
  refuse: (problem: Problem) => void
}

/** Collects a small file in memory; refuses the form if the file exceeds the limit. */
function collectSmallFile(stream: Readable, { field, name, into, refuse }: SmallFileTarget): void {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('error', alreadyTold)
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= FIELD_LIMIT) chunks.push(chunk)
    else refuse(new Problem('too-large', `file ${field}`))
  })
  stream.on('end', () => into.set(field, { name, bytes: new Uint8Array(Buffer.concat(chunks)) }))
}

/** Overwrites the small files of a refused form with zeros: one of them may be a private key. */
export function wipeFiles(entries: FormEntries): void {
  for (const [, value] of entries) if (typeof value !== 'string') value.bytes.fill(0)
}

async function readText(request: Request): Promise<string> {
  return (await readBytes(request, BODY_LIMIT)).toString('utf8')
}

/** Returns the whole body. @throws {Problem} `bad-request` without a body, `too-large`, `too-slow` */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of pacedBody(bodyOf(request)).iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit) throw new Problem('too-large', `a body of more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readMultipart(request: Request, maxFields: number): Promise<FormEntries> {
  const parser = multipartParser(request, { fileSize: FIELD_LIMIT, files: 8, fields: maxFields })
  const body = pacedBody(bodyOf(request))
  const entries: FormEntries = []
  const unfinished = new Set<Buffer[]>()
  let isRefused = false
  return new Promise<FormEntries>((resolve, reject) => {
    parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      const fault = faultOfField(name, isTruncated)
      if (fault) reject(fault)
      else entries.push([name, value])
    })
    parser.on('file', (name, stream, filename) => {
      const fault = faultOfField(name, false)
      if (fault) reject(fault)
      const chunks: Buffer[] = []
      unfinished.add(chunks)
      stream.on('error', alreadyTold)
      stream.on('data', (chunk: Buffer) => (isRefused ? chunk.fill(0) : chunks.push(chunk)))
      stream.on('limit', () => reject(new Problem('too-large', `file ${name}`)))
      stream.on('end', () => {
        // The only copy, so that the caller can wipe the file.
        const bytes = concatBytes(...chunks)
        for (const chunk of chunks) chunk.fill(0)
        unfinished.delete(chunks)
        entries.push([name, { name: filename ?? '', bytes }])
      })
    })
    parser.on('fieldsLimit', () => reject(tooManyFields()))
    parser.on('filesLimit', () => reject(new Problem('bad-request', 'too many files')))
    parser.on('error', () => reject(new Problem('bad-request', 'malformed multipart body')))
    parser.on('finish', () => resolve(entries))
    body.on('error', reject)
    body.pipe(parser)
  }).catch((error) => {
    isRefused = true
    body.unpipe(parser)
    wipeFiles(entries)
    for (const chunk of [...unfinished].flat()) chunk.fill(0)
    throw error
  })
}

/**
 * For a file inside which the body ends: the parser has told of it before. Without a listener it would crash the process.
 */
export const alreadyTold = () => undefined

/** A part takes the parser longer than its few bytes to send: so many bytes of a chunk may be thousands of parts. */
const SLICE = 16 * 1024

/** Parses each chunk slice by slice; other requests run in between. */
class PatientBusboy extends Busboy {
  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    const parseFrom = (start: number) => {
      const end = start + SLICE
      super._write(chunk.subarray(start, end), encoding, (error) => {
        if (error || end >= chunk.length) done(error)
        else setImmediate(parseFrom, end)
      })
    }
    parseFrom(0)
  }
}

export function multipartParser(
  request: Request,
  limits: { fileSize: number; files: number; fields?: number },
): BusboyInstance {
  const headers = Object.fromEntries(request.headers) as BusboyHeaders
  try {
    return new PatientBusboy({
      headers,
      limits: { fieldSize: FIELD_LIMIT, fields: FIELD_COUNT_LIMIT, ...limits },
    })
  } catch (error) {
    throw new Problem('bad-request', 'not a multipart body', { cause: error })
  }
}

/**
 * Returns the body as a stream that may stay unread: destroying it would close the connection before the
 * response.
 */
export function bodyOf(request: Request): Readable {
  if (!request.body) throw new Problem('bad-request', 'a form without a body')
  const body = Readable.fromWeb(
    request.body as import('node:stream/web').ReadableStream<Uint8Array>,
  )
  // Without a listener, a client that disconnects after a refusal would crash the process.
  return body.on('error', () => undefined)
}
