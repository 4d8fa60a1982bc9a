import { z } from 'zod'
import { Token } from '#server/domain/crypto/token.ts'
import { AccessTokenId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** What a program may do with it: list the documents that wait for its owner, and sign them. */
export const AccessTokenScope = z.enum(['sign'])
export type AccessTokenScope = z.infer<typeof AccessTokenScope>

/** Lifetimes that the owner can choose, in days. */
export const ACCESS_TOKEN_DAYS = [30, 90, 365] as const

/** Most tokens per user: one per program. */
export const MOST_ACCESS_TOKENS = 20

/** Lets a program act for a user. Only the SHA-256 of its secret is stored. */
export const AccessToken = z.object({
  id: AccessTokenId,
  officeId: OfficeId,
  userId: UserId,
  /** The owner's name for the program. */
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

/** The secret as shown to its owner. */
export const accessTokenText = (token: Token) => `${PREFIX}${token}`

/** Parses the secret; undefined if the text has none. */
export function readAccessToken(text: string): Token | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  return Token.safeParse(text.slice(PREFIX.length)).data
}
