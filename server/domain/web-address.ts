import { z } from 'zod'

/** An absolute address, http or https, without user, password and fragment. */
export const WebAddress = z
  .url({ protocol: /^https?$/, abort: true })
  .max(300)
  .refine((text) => {
    const { username, password, hash } = new URL(text)
    return username === '' && password === '' && hash === ''
  }, 'an address without user and fragment')
