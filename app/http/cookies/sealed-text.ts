import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { systemContext } from '#app/http/context.ts'
import { Problem } from '#server/domain/problem.ts'

type Context = Readonly<RouterContextProvider>

const Sealed = z
  .string()
  .max(4000)
  .regex(/^\d{1,9}\.[A-Za-z0-9_-]+$/)

/**
 * Encrypts a text that the browser carries in a cookie or a hidden field and cannot read.
 *
 * @param place purpose and owner; the text only opens for the same ones
 */
export function sealText(context: Context, text: string, place: string): string {
  const { keyVersion, bytes } = context.get(systemContext).vault.seal(Buffer.from(text), place)
  return `${keyVersion}.${Buffer.from(bytes).toString('base64url')}`
}

/** Returns the text, or undefined if it was altered or sealed for another place. */
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
