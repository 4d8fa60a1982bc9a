export const ARCO_PATH = '/dashboard/arco'
