// SPDX-License-Identifier: Apache-2.0
// src/trec/json_read.h for the build for browsers, by RapidJSON, which is headers only: there is
// no Jansson for WebAssembly.  What is refused is the same; the words of a refusal are not.
#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

extern "C" {
#include "trec/json_read.h"
}

namespace rj = rapidjson;

namespace {

const rj::Value &own(const iv_json *v) { return *reinterpret_cast<const rj::Value *>(v); }
const iv_json *given(const rj::Value *v) { return reinterpret_cast<const iv_json *>(v); }

// An object with a name twice, at any depth; values wait in a list, not on the stack.
bool repeats(const rj::Value &all)
{
    std::vector<const rj::Value *> left{ &all };
    std::vector<std::string_view> names;
    while (!left.empty()) {
        const rj::Value &v = *left.back();
        left.pop_back();
        if (v.IsArray())
            for (const auto &part : v.GetArray())
                left.push_back(&part);
        if (!v.IsObject())
            continue;
        names.clear();
        for (const auto &m : v.GetObject()) {
            names.emplace_back(m.name.GetString(), m.name.GetStringLength());
            left.push_back(&m.value);
        }
        std::sort(names.begin(), names.end());
        if (std::adjacent_find(names.begin(), names.end()) != names.end())
            return true;
    }
    return false;
}

int no_json(const iv_json_place *p, size_t at, const char *why, iv_err *err)
{
    const auto lines = std::count(p->at, p->at + at, '\n');
    return iv_fail_at(err, IV_EPARSE, p->name, p->line + static_cast<uint64_t>(lines),
                      "no JSON: %s", why);
}

} // namespace

extern "C" iv_json_kind iv_json_kind_of(const iv_json *v)
{
    switch (own(v).GetType()) {
    case rj::kObjectType:
        return IV_JSON_OBJECT;
    case rj::kArrayType:
        return IV_JSON_LIST;
    case rj::kStringType:
        return IV_JSON_TEXT;
    case rj::kNumberType:
        return IV_JSON_NUMBER;
    case rj::kTrueType:
    case rj::kFalseType:
        return IV_JSON_TRUTH;
    case rj::kNullType:
        break;
    }
    return IV_JSON_NULL;
}

extern "C" double iv_json_number(const iv_json *v)
{
    return own(v).IsTrue() ? 1.0 : own(v).IsNumber() ? own(v).GetDouble() : 0.0;
}

extern "C" bool iv_json_integer(int64_t *out, const iv_json *v)
{
    *out = own(v).IsInt64() ? own(v).GetInt64() : 0;
    return own(v).IsInt64();
}

extern "C" iv_str iv_json_string(const iv_json *v)
{
    return own(v).IsString() ? iv_str{ own(v).GetString(), own(v).GetStringLength() }
                             : iv_str{ nullptr, 0 };
}

extern "C" size_t iv_json_count(const iv_json *v)
{
    return own(v).IsObject() ? own(v).MemberCount() : own(v).IsArray() ? own(v).Size() : 0;
}

extern "C" const iv_json *iv_json_at(const iv_json *v, size_t i)
{
    return given(&own(v)[static_cast<rj::SizeType>(i)]);
}

extern "C" const iv_json *iv_json_find(const iv_json *v, iv_str key)
{
    if (!own(v).IsObject())
        return nullptr;
    const auto found = own(v).FindMember(
        rj::Value(rj::StringRef(key.ptr, static_cast<rj::SizeType>(key.len))));
    return found == own(v).MemberEnd() ? nullptr : given(&found->value);
}

extern "C" int iv_json_each(const iv_json *object, void *user,
                            int (*member)(void *user, iv_str key, const iv_json *v))
{
    for (const auto &m : own(object).GetObject()) {
        const int rc = member(user, iv_str{ m.name.GetString(), m.name.GetStringLength() },
                              given(&m.value));
        if (rc != IV_OK)
            return rc;
    }
    return IV_OK;
}

extern "C" int iv_json_read(iv_json **out, iv_json_place *p, iv_err *err)
{
    constexpr unsigned flags = rj::kParseStopWhenDoneFlag | rj::kParseIterativeFlag
        | rj::kParseFullPrecisionFlag | rj::kParseValidateEncodingFlag;

    (void)iv_json_peek(p);
    auto *v = new (std::nothrow) rj::Document;
    if (v == nullptr)
        return iv_fail_at(err, IV_ENOMEM, p->name, 0, "out of memory");
    rj::MemoryStream text(p->at, static_cast<size_t>(p->end - p->at));
    v->ParseStream<flags>(text);
    const size_t used = text.Tell();
    const bool twice = !v->HasParseError() && repeats(*v);
    if (v->HasParseError() || twice) {
        const int rc = no_json(p, twice ? used : v->GetErrorOffset(),
                               twice ? "an object has a name twice"
                                     : rj::GetParseError_En(v->GetParseError()), err);
        delete v;
        return rc;
    }
    p->line += static_cast<uint64_t>(std::count(p->at, p->at + used, '\n'));
    p->at += used;
    *out = reinterpret_cast<iv_json *>(static_cast<rj::Value *>(v));
    return IV_OK;
}

extern "C" void iv_json_free(iv_json *v)
{
    delete static_cast<rj::Document *>(reinterpret_cast<rj::Value *>(v));
}
