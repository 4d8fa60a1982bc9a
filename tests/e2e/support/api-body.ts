import type {
  AssertionOptions,
  RegistrationOptions,
} from '#server/domain/identity/webauthn-options.ts'

type Session = { id: string; isCurrent: boolean; mfaMethod: string }

/**
 * The fields of the answers of the API, all in one type: a test reads those of the call that it made. The served
 * description, against which every answer is checked, says which answer has which.
 */
export type ApiBody = {
  valid: boolean
  user: unknown
  status: string
  time: string
  // Problems
  code: string
  instance: string
  errors: Record<string, string[]>
  attemptsLeft: number
  serverTime: string
  // Sign-in and sessions
  id: string
  session: Session
  sessions: Session[]
  total: number
  terminated: number
  requiredAction: string | null
  requiresMFA: boolean
  mfaMethods: string[]
  mfaSessionToken: string
  // Factors
  secret: string
  uri: string
  name: string
  backupCodes: string[]
  credential: { id: string; name: string }
  credentials: unknown[]
  publicKey: RegistrationOptions & AssertionOptions
}
