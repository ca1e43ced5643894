#pragma once

#include <span>

namespace greenkgc::simd {

// Arithmetic on rows of floats, by SIMD. All spans of a call have the same length. Sums run in an order that
// depends on the instruction set: results agree with a plain loop up to rounding.

float dot(std::span<const float> a, std::span<const float> b);
float squared_distance(std::span<const float> a, std::span<const float> b);

void add_scaled(std::span<float> y, float scale, std::span<const float> x);  // y += scale * x
// y = a * u + b * v, and y += a * u + b * v.
void set_combination(std::span<float> y, float a, std::span<const float> u, float b,
                     std::span<const float> v);
void add_combination(std::span<float> y, float a, std::span<const float> u, float b,
                     std::span<const float> v);
void sin_cos(std::span<const float> angle, std::span<float> sine, std::span<float> cosine);

// Rows of complex numbers: all real parts, then all imaginary parts.
enum class Conjugate { kNo, kYes };
// out = a * b, or a * conj(b). `out` may be one of them.
void multiply_complex(std::span<const float> a, std::span<const float> b, Conjugate conjugate,
                      std::span<float> out);
// out = scale * Im(conj(a) * b), half as long as a and b.
void imaginary_product(std::span<const float> a, std::span<const float> b, float scale, std::span<float> out);

// One step of Adagrad: accumulated += gradient^2; weights -= rate * gradient / sqrt(accumulated + 1e-20).
void adagrad_step(std::span<float> weights, std::span<float> accumulated, std::span<const float> gradient,
                  float rate);

}  // namespace greenkgc::simd
