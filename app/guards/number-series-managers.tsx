import { Outlet } from 'react-router'
import { requireAction } from './require-action.ts'

/** For pages that decide how instruments are numbered. */
export const middleware = [requireAction('number-series.manage')]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
