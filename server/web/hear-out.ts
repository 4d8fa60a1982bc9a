import type { IncomingMessage } from 'node:http'

/** Of whoever sends without end no more is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/**
 * Reads and forgets what nobody else reads of a request, so that whoever sends it sees the answer and not a broken
 * connection. What somebody began to read stays theirs.
 */
export function hearOut(request: IncomingMessage): Promise<void> {
  if (request.readableFlowing !== null) return Promise.resolve()
  let bytes = 0
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_BYTES) resolve()
    })
    request.once('end', resolve).once('close', resolve)
  })
}
