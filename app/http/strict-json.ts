import { Problem } from '#server/domain/problem.ts'

const DEEPEST = 16
const TOKENS = /"(?:[^"\\]+|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g
/** Property names with a meaning in JavaScript. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns the value of a JSON text that every parser reads alike: no duplicate names, no prototype names,
 * no NUL or lone surrogate, limited nesting.
 *
 * @throws {Problem} `bad-request`
 * @see RFC 8259, 4 and 8.2
 */
export function parseStrictJson(text: string): unknown {
  const value = parsed(text)
  /** The names of each open object; null for an array. */
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') mustBeNewName(JSON.parse(last), open.at(-1))
    else if (token.startsWith('"')) mustBeText(JSON.parse(token))
    if (open.length > DEEPEST) throw new Problem('bad-request', 'JSON that is nested too deeply')
    last = token
  }
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('bad-request', 'not JSON', { cause: error })
  }
}

function mustBeNewName(name: string, names: Set<string> | null | undefined): void {
  if (names?.has(name)) throw new Problem('bad-request', 'a name stands twice in an object')
  if (RESERVED.has(name)) throw new Problem('bad-request', 'a name that objects have themselves')
  names?.add(name)
}

function mustBeText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new Problem('bad-request', 'a text with NUL or half a character')
}
