import { test } from '@playwright/test'
import { type MatrixServer, startMatrixServer } from './matrix-server.ts'

/** Tests on an office that every request finds as the first one found it. */
export const matrixTest = test.extend<object, { matrix: MatrixServer }>({
  matrix: [
    async ({}, use) => {
      const matrix = await startMatrixServer()
      await use(matrix)
      await matrix.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
