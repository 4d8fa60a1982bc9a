import { AUTHENTICATION, AUTHORIZATION, SESSION, TOKENS } from './requirements/identity.ts'
import { ENCODING, FILES, FRONTEND, LOGIC, MESSAGES } from './requirements/input-and-pages.ts'
import { CODING, CONFIGURATION, CRYPTOGRAPHY, DATA, LOG } from './requirements/operation.ts'
import type { Requirement } from './requirements/requirement.ts'

/** Every requirement that we hold ourselves to, in the order of the standard. */
export const CHAPTERS: readonly (readonly [title: string, rows: readonly Requirement[]])[] = [
  ['V1 Encoding and sanitization', ENCODING],
  ['V2 Validation and business logic', LOGIC],
  ['V3 Web frontend', FRONTEND],
  ['V4 Calls and messages', MESSAGES],
  ['V5 Files', FILES],
  ['V6 Authentication', AUTHENTICATION],
  ['V7 Sessions', SESSION],
  ['V8 Authorization', AUTHORIZATION],
  ['V9 Self-contained tokens', TOKENS],
  ['V11 Cryptography', CRYPTOGRAPHY],
  ['V12, V13 Transport and configuration', CONFIGURATION],
  ['V14 Data', DATA],
  ['V15 Coding', CODING],
  ['V16 Log and errors', LOG],
]

export const REQUIREMENTS: readonly Requirement[] = CHAPTERS.flatMap(([, rows]) => rows)
