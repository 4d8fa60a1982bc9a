import { Readable } from 'node:stream'
import { Problem } from '#server/domain/problem.ts'
import {
  alreadyTold,
  bodyOf,
  type FormEntries,
  faultOfField,
  multipartParser,
  type StreamedFile,
  tooManyFields,
} from './body.ts'

/**
 * The files of a form in order; read each one before requesting the next. Iteration throws `bad-request` if
 * the form is malformed or ends early.
 */
export type StreamedFiles = AsyncIterable<StreamedFile>

type Queued = { name: string; stream: Readable } | Problem

/**
 * Reads a multipart form with many large files as streams, one after the other.
 *
 * @param maxFiles limit of files; the form counts as malformed after it
 * @param accept called with the fields before the first file; its result is returned, even if the form
 *   turns out to be malformed later and it handles that
 * @throws {Problem} `bad-request` without a file; `too-large`; any error that `accept` throws
 */
export async function streamFiles<T>(
  request: Request,
  maxFiles: number,
  accept: (entries: FormEntries, files: StreamedFiles) => Promise<T>,
): Promise<T> {
  const parser = multipartParser(request, { fileSize: Number.POSITIVE_INFINITY, files: maxFiles })
  const body = bodyOf(request)
  const { promise: first, resolve: begin, reject: end } = Promise.withResolvers<void>()
  const entries: FormEntries = []
  const queue = new Readable({ objectMode: true, read() {} })
  const unread = new Set<Readable>()
  let last: Readable | undefined
  let isOver = false

  /** Yields the complete files first, then fails. */
  function fail(problem: Problem) {
    if (isOver) return
    isOver = true
    body.unpipe(parser)
    last?.destroy(problem)
    queue.push(problem satisfies Queued)
    end(problem)
  }
  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    const fault = faultOfField(name, isTruncated)
    if (last) fail(new Problem('bad-request', 'a field after a file'))
    else if (fault) fail(fault)
    else entries.push([name, value])
  })
  parser.on('file', (_field, stream: Readable, name) => {
    last = stream
    unread.add(stream)
    stream.on('error', alreadyTold)
    stream.on('end', () => unread.delete(stream))
    queue.push({ name: name ?? '', stream } satisfies Queued)
    begin()
  })
  parser.on('fieldsLimit', () => fail(tooManyFields()))
  parser.on('filesLimit', () => fail(new Problem('bad-request', 'too many files')))
  parser.on('error', () => fail(new Problem('bad-request', 'malformed multipart body')))
  parser.on('finish', () => {
    isOver = true
    queue.push(null)
    end(new Problem('bad-request', 'no file in the form'))
  })
  body.on('error', () => fail(new Problem('bad-request', 'the body ended early')))
  body.pipe(parser)

  try {
    await first
    return await accept(entries, oneByOne(queue))
  } finally {
    body.unpipe(parser)
    for (const stream of unread) stream.destroy()
  }
}

async function* oneByOne(queue: Readable): AsyncGenerator<StreamedFile> {
  for await (const item of queue as AsyncIterable<Queued>) {
    if (item instanceof Problem) throw item
    const { name, stream } = item
    yield { name, chunks: chunksOf(stream) }
    // Drain a file that the reader did not finish; otherwise the next one never arrives.
    stream.on('data', () => undefined).resume()
  }
}

/** The parser breaks a file that ends early before our own problem does. */
async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream.iterator({ destroyOnReturn: false })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('bad-request', 'a file ended early', { cause: error })
  }
}
