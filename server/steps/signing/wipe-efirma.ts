import type { ShownEfirma } from './check-efirma.ts'

/** Does the work and then overwrites the files of the e.firma with zeros, also if the work throws. */
export async function wipingEfirma<T>(
  { certificate, privateKey, pkcs12 }: ShownEfirma,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    for (const file of [certificate, privateKey, pkcs12]) file?.fill(0)
  }
}
