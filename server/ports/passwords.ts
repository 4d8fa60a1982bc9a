import type { PasswordRating } from '#server/domain/identity/password.ts'

export type Passwords = {
  /** A PHC string (Argon2id). */
  hash(password: string): Promise<string>
  /** False for a wrong password; the same time is spent when `hash` is undefined (unknown account). */
  verify(
    hash: string | undefined,
    password: string,
    options?: { isPatient?: boolean },
  ): Promise<boolean>
  /**
   * Runs the attempt of a stranger, all that it writes included, if few are under way.
   *
   * @throws {Problem} `too-many-attempts`; only after a pause, so that the threads of an attacker wait instead of
   *   asking again
   */
  amongStrangers<T>(attempt: () => Promise<T>): Promise<T>
  /** Whether the hash has an outdated cost and must be renewed at the next sign-in. */
  isOutdated(hash: string): boolean
  /**
   * How hard the password is to guess for an attacker who knows these words. The first call is slow. A patient one waits
   * until no other does.
   *
   * @throws {Problem} `too-many-attempts` when too many wait
   */
  rate(
    password: string,
    words: readonly string[],
    options?: { isPatient?: boolean },
  ): Promise<PasswordRating>
  /** 32 bytes of Argon2id over a short secret (a backup code) with its own salt of 16 bytes. */
  derive(secret: string, salt: Uint8Array): Promise<Uint8Array>
}
