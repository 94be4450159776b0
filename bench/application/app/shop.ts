export { PartialsApi } from '../../../examples/shop/app/partials-api.js'
export { ProductsApi } from '../../../examples/shop/app/products-api.js'
export { ShapesApi } from '../../../examples/shop/app/shapes-api.js'
