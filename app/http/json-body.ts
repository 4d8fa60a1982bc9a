import { Problem } from '#server/domain/problem.ts'
import { readBytes } from './body.ts'
import { parseStrictJson } from './strict-json.ts'

const LIMIT = 64 * 1024

/** Other sites cannot send this type without a CORS preflight. */
const TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i

export const isJson = (request: Request) => TYPE.test(request.headers.get('Content-Type') ?? '')

/** Returns the value of a small JSON body. @throws {Problem} `bad-request`, `too-large` */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, LIMIT)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new Problem('bad-request', 'not UTF-8', { cause: error })
  }
  return parseStrictJson(text)
}
