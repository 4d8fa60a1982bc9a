import { Readable } from 'node:stream'
import { asciiFileName } from '#server/domain/text/file-names.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { requestedRange } from './byte-range-request.ts'
import { answerTo, toldProblem } from './problems.ts'

type File = {
  name: string
  type: string
  size: number
  sha256: string
  stream: (
    start: number,
    end: number,
  ) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>
}

/** Returns the file as a download, whole or the requested range. Only the browser may cache it. */
export async function fileAnswer(request: Request, file: File): Promise<Response> {
  const etag = `"${file.sha256}"`
  const headers = new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': attachment(file.name),
    'Content-Type': file.type,
    ETag: etag,
    'X-Robots-Tag': 'noindex',
  })
  // If the file has changed since the first part, send the whole file.
  const isSame = [null, etag].includes(request.headers.get('If-Range'))
  const range = requestedRange(isSame ? request.headers.get('Range') : null, file.size)
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${file.size}`)
    return new Response(null, { status: 416, headers })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.size } : range
  headers.set('Content-Length', String(end - start))
  if (range !== 'whole') headers.set('Content-Range', `bytes ${start}-${end - 1}/${file.size}`)
  const body = request.method === 'HEAD' ? null : await file.stream(start, end)
  return new Response(body, { status: range === 'whole' ? 200 : 206, headers })
}

/** Returns an archive as a download, produced while it is read. No cache may keep it. */
export const archiveAnswer = (
  { method }: Request,
  name: string,
  { bytes, stream }: { bytes: number; stream: () => ReadableStream<Uint8Array> },
): Response =>
  new Response(method === 'HEAD' ? null : stream(), {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(name),
      'Content-Length': String(bytes),
      'Content-Type': 'application/zip',
      'X-Robots-Tag': 'noindex',
    },
  })

/** Returns lines as a download, produced while they are read. No cache may keep it. */
export const linesAnswer = (
  name: string,
  type: 'text/csv' | 'application/jsonl',
  lines: Iterable<string> | AsyncIterable<string>,
): Response => madeAnswer(name, `${type}; charset=utf-8`, lines)

/** Returns a file as a download, produced while it is read. No cache may keep it. */
export const madeAnswer = (
  name: string,
  type: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Response =>
  new Response(Readable.toWeb(Readable.from(chunks)) as ReadableStream, {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(name),
      'Content-Type': type,
      'X-Robots-Tag': 'noindex',
    },
  })

/**
 * Returns a `Content-Disposition` value: the full name per RFC 6266, and an ASCII fallback.
 *
 * @see RFC 8187, 3.2.1
 */
export function attachment(fileName: string): string {
  const name = shownText(fileName)
  const plain = asciiFileName(fileName)
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Awaits a file; a refusal becomes a plain-text response of one sentence. */
export async function orErrorText<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { status, sentence, headers } = answerTo(toldProblem(error))
    throw new Response(sentence, {
      status,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
    })
  }
}
