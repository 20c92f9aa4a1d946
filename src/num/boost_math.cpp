/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boost.Math and KISS FFT behind a C interface.
 *
 * Doubles are never promoted: on aarch64 long double is software and a hundred
 * times slower.  Boost's errors are ignored, which makes them NaN or infinity,
 * and whatever is thrown in spite of that becomes a NaN here.  Both are set as
 * Boost's defaults, before its headers, since some of its functions forget the
 * policy they were called with.
 *
 * On x86 Boost evaluates Lanczos' approximation by a header of its own, for SSE2, in
 * another order of operations; with it beta and gamma functions differ in their last digit
 * from other processors.  Its guard, set here, leaves it out.  So does that of libstdc++'s
 * <iostream>, which Boost includes for nothing: its streams and locales would be set up
 * whenever a program starts, and are half a megabyte of a static one.
 */
#define BOOST_MATH_SPECIAL_FUNCTIONS_LANCZOS_SSE2
#define _GLIBCXX_IOSTREAM 1
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#define BOOST_MATH_DOMAIN_ERROR_POLICY ignore_error
#define BOOST_MATH_POLE_ERROR_POLICY ignore_error
#define BOOST_MATH_OVERFLOW_ERROR_POLICY ignore_error
#define BOOST_MATH_UNDERFLOW_ERROR_POLICY ignore_error
#define BOOST_MATH_DENORM_ERROR_POLICY ignore_error
#define BOOST_MATH_EVALUATION_ERROR_POLICY ignore_error
#define BOOST_MATH_ROUNDING_ERROR_POLICY ignore_error
#define BOOST_MATH_INDETERMINATE_RESULT_ERROR_POLICY ignore_error

#include "num/boost_math.h"

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <kissfft/kissfft.hh>

namespace bm = boost::math;

namespace {

using plain = boost::math::policies::policy<>;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

template <class Work> double or_nan(Work work) noexcept
{
    try {
        return work();
    } catch (...) {
        return nan_value;
    }
}

} // namespace

#define OR_NAN(signature, value) \
    double signature { return or_nan([=] { return value; }); }

OR_NAN(iv_boost_ibeta(double a, double b, double x), bm::ibeta(a, b, x, plain()))
OR_NAN(iv_boost_ibetac(double a, double b, double x), bm::ibetac(a, b, x, plain()))
OR_NAN(iv_boost_ibeta_inv(double a, double b, double p), bm::ibeta_inv(a, b, p, plain()))
OR_NAN(iv_boost_ibetac_inv(double a, double b, double q), bm::ibetac_inv(a, b, q, plain()))
OR_NAN(iv_boost_gamma_p(double shape, double x), bm::gamma_p(shape, x, plain()))
OR_NAN(iv_boost_gamma_q(double shape, double x), bm::gamma_q(shape, x, plain()))
OR_NAN(iv_boost_gamma_q_inv(double shape, double q), bm::gamma_q_inv(shape, q, plain()))
OR_NAN(iv_boost_erfc(double x), bm::erfc(x, plain()))
OR_NAN(iv_boost_erfc_inv(double p), bm::erfc_inv(p, plain()))
OR_NAN(iv_boost_digamma(double x), bm::digamma(x, plain()))

double iv_boost_t_cdf(double t, double df)
{
    return or_nan([=] {
        return bm::cdf(bm::students_t_distribution<double, plain>(df), t);
    });
}

double iv_boost_t_quantile(double p, double df)
{
    return or_nan([=] {
        return bm::quantile(bm::students_t_distribution<double, plain>(df), p);
    });
}

bool iv_boost_root(double *root, iv_function f, void *user, double from,
                   double to, double f_from, double f_to)
{
    try {
        boost::uintmax_t steps = 300;
        bool finite = true;
        const auto checked = [&finite, f, user](double x) {
            const double y = f(x, user);
            if (!std::isnan(y))
                return y;
            finite = false;
            return 0.0; /* ends the search */
        };
        const auto ends = bm::tools::toms748_solve(
            checked, from, to, f_from, f_to, bm::tools::eps_tolerance<double>(53),
            steps, plain());
        *root = 0.5 * ends.first + 0.5 * ends.second;
        return finite && steps < 300;
    } catch (...) {
        return false;
    }
}

/* With the interval mapped to [0, 1], since Brent's absolute tolerance knows no other scale. */
bool iv_boost_minimum(double *at, double *value, iv_function f, void *user, double from, double to)
{
    try {
        boost::uintmax_t steps = 500;
        bool finite = true;
        const auto found = bm::tools::brent_find_minima(
            [&finite, f, user, from, to](double t) {
                const double y = f(from + t * (to - from), user);
                finite = finite && !std::isnan(y);
                return y;
            }, 0.0, 1.0, 26, steps);
        *at = from + found.first * (to - from);
        *value = found.second;
        return finite && !std::isnan(found.second);
    } catch (...) {
        return false;
    }
}

struct iv_fft {
    explicit iv_fft(size_t length)
        : plan(length / 2, false), root(length / 2), in(length / 2),
          a(length / 2), b(length / 2)
    {
        const double step = -4.0 * std::acos(-1.0);
        for (size_t k = 0; k < root.size(); k++)
            root[k] = std::polar(1.0, step * (static_cast<double>(k)
                                              / static_cast<double>(length)));
    }
    kissfft<double> plan;
    std::vector<std::complex<double>> root, in, a, b;
};

iv_fft *iv_fft_new(size_t length)
{
    try {
        return new iv_fft(length);
    } catch (...) {
        return nullptr;
    }
}

void iv_fft_free(iv_fft *t)
{
    delete t;
}

/* The transform of even atoms + i odd atoms, half as long as the vector. */
static void transform_halves(iv_fft *t, std::complex<double> *out,
                             const double *p, size_t count)
{
    const size_t half = t->in.size();
    for (size_t k = 0; k < half; k++)
        t->in[k] = { 2 * k < count ? p[2 * k] : 0.0,
                     2 * k + 1 < count ? p[2 * k + 1] : 0.0 };
    t->plan.transform(t->in.data(), out);
}

/*
 * Even and odd atoms are convolved apart, as two real vectors in one complex
 * transform of half the length: with E and O their spectra and w the shift by
 * one, the sum has E = Ea Eb + w Oa Ob and O = Ea Ob + Oa Eb.  The way back is
 * the forward transform of the conjugate.
 */
void iv_fft_convolve(iv_fft *t, double *out, size_t count, const double *a,
                     size_t na, const double *b, size_t nb)
{
    using complex = std::complex<double>;
    const size_t half = t->in.size();
    const double scale = 1.0 / static_cast<double>(half);
    const complex minus_half_i(0.0, -0.5);

    transform_halves(t, t->a.data(), a, na);
    transform_halves(t, t->b.data(), b, nb);
    for (size_t k = 0; k < half; k++) {
        const complex az = t->a[k], aw = std::conj(t->a[k == 0 ? 0 : half - k]);
        const complex bz = t->b[k], bw = std::conj(t->b[k == 0 ? 0 : half - k]);
        const complex ea = 0.5 * (az + aw), oa = minus_half_i * (az - aw);
        const complex eb = 0.5 * (bz + bw), ob = minus_half_i * (bz - bw);
        const complex e = ea * eb + t->root[k] * (oa * ob);
        const complex o = ea * ob + oa * eb;
        t->in[k] = { e.real() - o.imag(), -(e.imag() + o.real()) };
    }
    t->plan.transform(t->in.data(), t->a.data());
    for (size_t i = 0; i < count; i++)
        out[i] = scale * (i % 2 == 0 ? t->a[i / 2].real() : -t->a[i / 2].imag());
}
