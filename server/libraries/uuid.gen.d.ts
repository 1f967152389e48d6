// This file is made of uuid 14.0.3 by `npm run generate`: see build/libraries.ts
export { v7 } from 'uuid'
