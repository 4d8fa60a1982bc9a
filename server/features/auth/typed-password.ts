import { z } from 'zod'

/** A password as it was typed: nothing is cut off, and far longer ones than any rule allows are not computed. */
export const TypedPassword = z.string().min(1).max(512)
