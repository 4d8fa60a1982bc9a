import { z } from 'zod'
import { Token } from '#server/domain/crypto/token.ts'
import { AccessTokenId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** What a program may do with it: ask for what waits for its owner's signature, and sign it. */
export const AccessTokenScope = z.enum(['sign'])
export type AccessTokenScope = z.infer<typeof AccessTokenScope>

/** Between which its owner chooses, in days. */
export const ACCESS_TOKEN_DAYS = [30, 90, 365] as const

/** Most tokens of one user: one a program, and programs are few. */
export const MOST_ACCESS_TOKENS = 20

/** What lets a program of one person in without them. Of its secret only the SHA-256 is stored. */
export const AccessToken = z.object({
  id: AccessTokenId,
  officeId: OfficeId,
  userId: UserId,
  /** As its owner calls the program. */
  name: z.string(),
  scopes: z.array(AccessTokenScope),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: Instant.nullable(),
  /** Null unless it was revoked. */
  revokedAt: Instant.nullable(),
})
export type AccessToken = z.infer<typeof AccessToken>

export const isUsable = ({ revokedAt, expiresAt }: AccessToken, now: Instant) =>
  revokedAt === null && now < expiresAt

/** Makes a token recognizable in a file or a log. */
const PREFIX = 'rubrica_'

/** The secret as its owner copies it. */
export const accessTokenText = (token: Token) => `${PREFIX}${token}`

/** The secret in a text; undefined when there is none. */
export function readAccessToken(text: string): Token | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  return Token.safeParse(text.slice(PREFIX.length)).data
}
