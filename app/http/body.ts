import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { concatBytes } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'

/** Most bytes of one text field, and of one small file (a certificate, a private key). */
export const FIELD_LIMIT = 64 * 1024
/** Most fields of a form whose page does not have more. */
export const FIELD_COUNT_LIMIT = 64
/** Most bytes of the name of a field. */
export const FIELD_NAME_LIMIT = 100
export const BODY_LIMIT = 512 * 1024

export type SmallFile = { name: string; bytes: Uint8Array }
export type FormEntries = [name: string, value: string | SmallFile][]
/** By the name of their field. */
export type SmallFiles = Map<string, SmallFile>
export type StreamedFile = { name: string; chunks: AsyncIterable<Uint8Array> }

/**
 * All fields of a small form, urlencoded or multipart; the same limits hold for both.
 *
 * @throws {Problem} `bad-request`, `too-large`
 */
export async function readEntries(
  request: Request,
  { mostFields = FIELD_COUNT_LIMIT }: { mostFields?: number } = {},
): Promise<FormEntries> {
  const type = request.headers.get('Content-Type') ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return entriesIn(await readText(request), mostFields)
  if (/^multipart\/form-data\b/i.test(type)) return readMultipart(request, mostFields)
  throw new Problem('bad-request', `a form of type ${type.slice(0, 80)}`)
}

function entriesIn(text: string, mostFields: number): FormEntries {
  // Counted before they are decoded: half a megabyte holds a quarter of a million of them.
  if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields()
  return [...new URLSearchParams(text)].map(([name, value]) => {
    const fault = faultOfField(name, Buffer.byteLength(value) > FIELD_LIMIT)
    if (fault) throw fault
    return [name, value]
  })
}

export const tooManyFields = () => new Problem('bad-request', 'too many fields')

/** Why a field of a form is refused; undefined where it is not. */
export function faultOfField(name: string, isTooLong: boolean): Problem | undefined {
  if (Buffer.byteLength(name) > FIELD_NAME_LIMIT)
    return new Problem('bad-request', `a field with a name of ${name.length} letters`)
  return isTooLong ? new Problem('too-large', `field ${name}`) : undefined
}

/**
 * Reads a multipart form with one large file, without ever holding the file. Small files may come behind it.
 *
 * @param accept called with the fields that came before the file; what it returns is returned. Its third
 *   parameter holds the small files once the large one was read to its end
 * @param options.smallFiles how many of them the form may have
 * @throws {Problem} `bad-request` without a file or with fields behind it; `too-large`; whatever
 *   `accept` throws
 */
export async function streamFile<T>(
  request: Request,
  accept: (entries: FormEntries, file: StreamedFile, smallFiles: Promise<SmallFiles>) => Promise<T>,
  { smallFiles = 0 }: { smallFiles?: number } = {},
): Promise<T> {
  const parser = multipartParser(request, {
    fileSize: Number.POSITIVE_INFINITY,
    files: 1 + smallFiles,
  })
  const body = bodyOf(request)
  const entries: FormEntries = []
  const behind: SmallFiles = new Map()
  const {
    promise: allBehind,
    resolve: endBehind,
    reject: failBehind,
  } = Promise.withResolvers<SmallFiles>()
  // Nobody may be waiting for them.
  allBehind.catch(() => undefined)
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
          takeSmallFile(stream, { field, name: filename ?? '', into: behind, refuse: reject })
          return
        }
        file = stream
        let isBroken = false
        // Somebody must listen: a body that ends inside the file would end the process.
        stream.on('error', () => {
          isBroken = true
        })
        accepted = accept(entries, { name: filename ?? '', chunks: stream }, allBehind)
        // Whoever is done with the file before its end lets the rest run out, or the form never ends.
        accepted.then(
          () => stream.resume(),
          (error) => {
            stream.resume()
            const isOurs = error instanceof Problem || !isBroken
            reject(isOurs ? error : new Problem('bad-request', 'the file ended early'))
          },
        )
      })
      parser.on('fieldsLimit', () => reject(tooManyFields()))
      parser.on('error', () => reject(new Problem('bad-request', 'malformed multipart body')))
      parser.on('finish', () => {
        endBehind(behind)
        resolve()
      })
      body.on('error', reject)
      body.on('close', () => {
        if (!body.readableEnded) reject(new Problem('bad-request', 'the body ended early'))
      })
      body.pipe(parser)
    })
  } catch (error) {
    body.unpipe(parser)
    // Whoever still waits for the rest of the file, or for what comes behind, is told that none will come.
    file?.destroy(new Problem('bad-request', 'the form was refused'))
    failBehind(error)
    throw error
  }
  if (!accepted) throw new Problem('bad-request', 'no file in the form')
  return accepted
}

type Taking = {
  field: string
  name: string
  into: SmallFiles
  refuse: (problem: Problem) => void
}

/** Holds a file of the form in memory; one that is not small ends the form. */
function takeSmallFile(stream: Readable, { field, name, into, refuse }: Taking): void {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('error', () => refuse(new Problem('bad-request', `file ${field} ended early`)))
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= FIELD_LIMIT) chunks.push(chunk)
    else refuse(new Problem('too-large', `file ${field}`))
  })
  stream.on('end', () => into.set(field, { name, bytes: new Uint8Array(Buffer.concat(chunks)) }))
}

/**
 * Overwrites the small files of a form with zeros: one of a form that is refused may be a private key, and
 * nobody else will do it.
 */
export function wipeFiles(entries: FormEntries): void {
  for (const [, value] of entries) if (typeof value !== 'string') value.bytes.fill(0)
}

async function readText(request: Request): Promise<string> {
  return (await readBytes(request, BODY_LIMIT)).toString('utf8')
}

/**
 * The whole body, if it is no longer than `limit` bytes.
 *
 * @throws {Problem} `bad-request` without a body, `too-large`
 */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bodyOf(request).iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limit) throw new Problem('too-large', `a body of more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readMultipart(request: Request, mostFields: number): Promise<FormEntries> {
  const parser = multipartParser(request, { fileSize: FIELD_LIMIT, files: 8, fields: mostFields })
  const body = bodyOf(request)
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
      stream.on('error', () => reject(new Problem('bad-request', `file ${name} ended early`)))
      stream.on('data', (chunk: Buffer) => (isRefused ? chunk.fill(0) : chunks.push(chunk)))
      stream.on('limit', () => reject(new Problem('too-large', `file ${name}`)))
      stream.on('end', () => {
        // The only copy: whoever takes the file can wipe no other.
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

export function multipartParser(
  request: Request,
  limits: { fileSize: number; files: number; fields?: number },
): BusboyInstance {
  const headers = Object.fromEntries(request.headers) as BusboyHeaders
  try {
    return new Busboy({
      headers,
      limits: { fieldSize: FIELD_LIMIT, fields: FIELD_COUNT_LIMIT, ...limits },
    })
  } catch (error) {
    throw new Problem('bad-request', 'not a multipart body', { cause: error })
  }
}

/** The body, of which the rest may stay unread; to destroy it would end the connection before the answer. */
export function bodyOf(request: Request): Readable {
  if (!request.body) throw new Problem('bad-request', 'a form without a body')
  const body = Readable.fromWeb(
    request.body as import('node:stream/web').ReadableStream<Uint8Array>,
  )
  // Somebody must listen: a sender who goes away behind a refusal would end the process.
  return body.on('error', () => undefined)
}
