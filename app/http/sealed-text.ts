import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { Problem } from '#server/domain/problem.ts'
import { systemContext } from './context.ts'

type Context = Readonly<RouterContextProvider>

const Sealed = z
  .string()
  .max(4000)
  .regex(/^\d{1,9}\.[A-Za-z0-9_-]+$/)

/**
 * A text that a browser may carry and cannot read: in a cookie, or in a hidden field.
 *
 * @param place what it is and whose: opened for anything else it is worth nothing
 */
export function sealText(context: Context, text: string, place: string): string {
  const { keyVersion, bytes } = context.get(systemContext).vault.seal(Buffer.from(text), place)
  return `${keyVersion}.${Buffer.from(bytes).toString('base64url')}`
}

/** What was sealed, or undefined when it was changed, or meant for another place. */
export function openText(
  context: Context,
  value: string | undefined,
  place: string,
): string | undefined {
  const sealed = Sealed.safeParse(value)
  if (!sealed.success) return undefined
  const [version, bytes = ''] = sealed.data.split('.')
  const secret = { keyVersion: Number(version), bytes: Buffer.from(bytes, 'base64url') }
  try {
    return Buffer.from(context.get(systemContext).vault.open(secret, place)).toString('utf8')
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
