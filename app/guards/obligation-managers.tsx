import { Outlet } from 'react-router'
import { requireAction } from './require-action.ts'

/** For pages that decide what the office must do, and by when. */
export const middleware = [requireAction('obligations.manage')]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
